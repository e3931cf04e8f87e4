"""How often is a contract made, by what the contractor was dealt?

    python experiments/hands.py             the published run
    python experiments/hands.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/hands/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("hands")
