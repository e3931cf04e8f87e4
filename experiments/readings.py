"""Which reading of the rules matters, and how much?

    python experiments/readings.py             the published run
    python experiments/readings.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/readings/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("readings")
