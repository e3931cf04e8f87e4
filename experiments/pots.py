"""How many deals does a pot of Spoil Five last, and how does it grow?

    python experiments/pots.py             the published run
    python experiments/pots.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/pots/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("pots")
