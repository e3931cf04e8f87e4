"""What is it worth to sit left of the dealer, or to deal, in every game?

    python experiments/seats.py             the published run
    python experiments/seats.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/seats/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("seats")
