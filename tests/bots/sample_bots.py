"""Bots that the tests load from a file: a good one, a note-taker, and four that misbehave."""


class Cheapest:
    name, version = "cheapest", 3

    def act(self, view):
        winners = [card for card in view.legal if card < 53 and view.beats_trick(card)]
        return winners[0] if winners else view.legal[0]


class Random:
    def __init__(self, extra=0):
        self.extra = extra

    def act(self, view):
        choice = view.rng.choice(view.legal)
        for _ in range(self.extra):
            view.rng.random()
        return choice


class NoteTaker:
    """Counts its own decisions of a deal; one object must never see two seats."""

    def start(self, rules, seat, seed):
        self.seat, self.count = seat, 0

    def act(self, view):
        assert view.seat == self.seat
        self.count += 1
        return view.legal[self.count % len(view.legal)]

    def finish(self, points):
        assert self.count <= 7


class Raises:
    def act(self, view):
        if len(view.hand) == 3:
            raise KeyError("lost the thread")
        return view.legal[0]


class Illegal:
    def act(self, view):
        return next(card for card in range(52) if card not in view.legal)


class Nonsense:
    def act(self, view):
        return "the best one"


class NoAct:
    pass


class Refuses:
    def __init__(self):
        raise RuntimeError("not today")


not_callable = 7


class Exits:
    def act(self, view):
        print("good bye")
        raise SystemExit(3)


class Interrupts:
    def act(self, view):
        raise KeyboardInterrupt


class BadFinish:
    def start(self, rules, seat, seed):
        pass

    def act(self, view):
        return view.legal[0]

    def finish(self, points):
        raise ValueError("sore loser")


class BadVersion:
    version = "two"

    def act(self, view):
        return view.legal[0]


class BadName:
    name = "two\nlines"

    def act(self, view):
        return view.legal[0]
