"""How often does a jink succeed, and what does jinking gain, by the pot?

    python experiments/jinking.py             the published run
    python experiments/jinking.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/jinking/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("jinking")
