"""How often is Spoil Five spoiled, by players and by who plays?

    python experiments/spoils.py             the published run
    python experiments/spoils.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/spoils/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("spoils")
