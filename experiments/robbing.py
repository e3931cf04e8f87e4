"""What is robbing worth, by the number of players and by who plays on?

    python experiments/robbing.py             the published run
    python experiments/robbing.py --quick     a fiftieth of it

Answer: results/README.md. What is done is kept in results/robbing/cells; stopped, it goes on.
"""

from forty5sim.studies.published import main

if __name__ == "__main__":
    main("robbing")
