"""What is the chance to win a game from the score?

    python experiments/scores.py             the published run
    python experiments/scores.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/scores/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("scores")
