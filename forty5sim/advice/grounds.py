"""Why an action is worth what it is: what was seen of it in the worlds it was tried in.

Nothing here is a rule of thumb: each phrase is a fact of the table, or a share of the same sampled
worlds with its 95 % interval.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from forty5sim.advice.samples import Samples
from forty5sim.agent import View
from forty5sim.cards import Action, card_sign
from forty5sim.notation import DONE, JINK, KEEP
from forty5sim.options import POT
from forty5sim.reasons import LEAD, RENEGE, way_of_playing
from forty5sim.stats import Estimate, share

FEW = 20
"""Of fewer cases than this no share is told."""


def grounds(view: View, samples: Samples, action: Action) -> str:
    """Return what was seen of an action in the worlds that it was tried in."""
    return _GROUNDS[view.phase](view, samples, action)


def percent(of: Estimate) -> str:
    """Return a share in per cent with its interval."""
    value, width = 100 * of.mean, 100 * of.half_width
    if not width > 0:
        return f"{value:.0f} %"
    return f"{value:.{1 if width < 0.95 else 0}f} ± {width:.{1 if width < 0.95 else 0}f} %"


def _share(samples: Samples, cases: NDArray[np.bool_]) -> str:
    """Return in what share of the worlds something was so."""
    if samples.groups == 1:
        return percent(share(int(cases.sum()), len(cases)))
    return percent(samples.mean(cases.astype(np.float64)))


def _of_those(samples: Samples, cases: NDArray[np.bool_], those: NDArray[np.bool_]) -> str:
    """Return the share among some of the worlds; nothing if they are few."""
    if those.sum() < FEW:
        return ""
    return percent(share(int((cases & those).sum()), int(those.sum())))


def _tricks(samples: Samples, action: Action) -> str:
    mean = samples.mean(samples.tricks(action).astype(np.float64))
    return f"{mean.mean:.2f} ± {mean.half_width:.2f} tricks in the deal"


def _about_play(view: View, samples: Samples, action: Action) -> str:
    way = way_of_playing(view, view.hand, action)
    words = []
    if way == RENEGE:
        kept = view.sorted(card for card in view.hand if view.is_trump(card))
        words.append("keeps back " + " ".join(map(card_sign, kept)))
    takes = samples.takes_trick(action)
    side = "its side takes" if len(samples.side) > 1 else "takes"
    beats = view.beats_trick(action)
    if way != LEAD and not beats and (not takes.any() or len(samples.side) == 1):
        words.append("cannot take this trick")
    elif takes.all():
        words.append(f"{side} this trick")
    else:
        words.append(f"{side} this trick in {_share(samples, takes)}")
    words.append(_tricks(samples, action))
    return "; ".join(words)


def _about_rob(view: View, samples: Samples, action: Action) -> str:
    if action == KEEP or view.turnup is None:
        return f"leaves the turn-up; {_tricks(samples, action)}"
    return f"takes the {card_sign(view.turnup)}; {_tricks(samples, action)}"


def _about_jink(view: View, samples: Samples, action: Action) -> str:
    if action == JINK:
        return f"takes all the tricks in {_share(samples, samples.jinks(action))}"
    return "takes the pot now" if view.rules.family == POT else _tricks(samples, action)


def _about_contract(view: View, samples: Samples, action: Action) -> str:
    """Say who plays the contract and whether it is made."""
    ours, made = samples.bids(action), samples.made(action)
    own = "its side" if len(samples.side) > 1 else "it"
    words = []
    if ours.any():
        words.append(f"{own} plays the contract in {_share(samples, ours)}")
        of_those = _of_those(samples, made, ours)
        words[-1] += f" and makes {of_those} of those" if of_those else ""
    if not ours.all():
        lost = _of_those(samples, ~made, ~ours)
        words += [f"sets {lost} of the others'"] if lost else []
    return "; ".join(words) or "no contract was played"


def _about_exchange(view: View, samples: Samples, action: Action) -> str:
    if action == DONE:
        return f"throws no more; {_tricks(samples, action)}"
    return _tricks(samples, action)


_GROUNDS: dict[str, Callable[[View, Samples, Action], str]] = {
    "play": _about_play,
    "rob": _about_rob,
    "jink": _about_jink,
    "auction": _about_contract,
    "trump": _about_contract,
    "discard": _about_exchange,
    "assign": lambda view, samples, action: _tricks(samples, action),
    "name": lambda view, samples, action: _tricks(samples, action),
}
