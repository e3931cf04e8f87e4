"""Do the evaluator's chances come true?

    python experiments/calibration.py             the published run
    python experiments/calibration.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/calibration/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("calibration")
