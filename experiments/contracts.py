"""How often is each contract played, and how often made?

    python experiments/contracts.py             the published run
    python experiments/contracts.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/contracts/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("contracts")
