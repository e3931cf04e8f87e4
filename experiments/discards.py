"""What is it worth to throw a better card, or a worse one, when robbing?

    python experiments/discards.py             the published run
    python experiments/discards.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/discards/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("discards")
