"""Figures: axes named, intervals drawn, nothing clipped, readable without colour."""

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text
from scipy.stats import binomtest

from forty5sim import plot
from forty5sim.errors import RunError
from forty5sim.named_rules import find_rules
from forty5sim.plot.decisions import is_trump
from forty5sim.plot.style import LOOKS, shortened, wrapped

LONG = "a-very-long-name-of-a-bot:with=options-{}"
RNG = np.random.default_rng(0)


def names(count):
    return [f"{LONG.format(i)[:38]}{i:02d}" for i in range(count)]


def standings(count):
    payoffs = np.linspace(0.4, -0.4, count)
    return pd.DataFrame(
        {"bot": names(count), "payoff": payoffs, "payoff_ci": 0.05, "boards": 20_000}
    )


def duels(count):
    rows = [
        {"bot": a, "against": b, "payoff": 0.1 * (j - i), "payoff_ci": 0.08, "boards": 20_000}
        for i, a in enumerate(names(count))
        for j, b in enumerate(names(count))
        if i < j
    ]
    return pd.DataFrame(rows)


def seats(count):
    found = ["eldest", *(f"seat {n}" for n in range(2, count)), "dealer"]
    return pd.DataFrame({"seat": found, "payoff": 0.1, "payoff_ci": 0.05, "boards": 500})


def times(count):
    return pd.DataFrame(
        {"bot": names(count), "decisions": 700, "median": 0.2, "p99": 3.0, "longest": 900.0}
    )


def ratings(count):
    elo = np.linspace(150, -150, count)
    return pd.DataFrame(
        {"bot": names(count), "elo": elo, "low": elo - 30, "high": elo + 20, "boards": 900}
    )


def distributions(count, distinct):
    values = RNG.normal(size=distinct)
    return {
        f"{name}\nagainst {name}": (values, RNG.integers(1, 9, distinct)) for name in names(count)
    }


def decisions(count, boards=12):
    rows = []
    for number, bot in enumerate(names(count)):
        for board in range(boards):
            base = {"pairing": 0, "board": board, "replay": number, "position": 1, "trick": 1}
            base |= {"deal": board % 3, "pot_before": 5 + board % 3, "bot": bot, "legal": "5H 2C"}
            base |= {"trump": "H", "hand": "5H 2C", "trumps_held": 1}
            done = [("rob", "rob"), ("rob", "keep"), ("jink", "jink"), ("jink", "stop")]
            done += [("play", "renege"), ("play", "follow"), ("auction", "bid")]
            for kind, way in done:
                choice = {"renege": "2C", "follow": "5H", "bid": ("pass", "20", "7NT")[board % 3]}
                rows.append({**base, "kind": kind, "way": way, "choice": choice.get(way, way)})
            for trick in range(1, 5):
                lead = {"position": 0, "trick": trick, "kind": "play", "way": "lead"}
                rows.append({**base, **lead, "choice": ("5H", "2C")[(board + trick) % 2]})
    return pd.DataFrame(rows)


def jinks(players):
    held = ["jinks made when always jinked", *(f"trumps held: {n}" for n in range(3))]
    rows = [
        {"players": players, "pot": pot, "quantity": "success", "stratum": name,
         "value": 0.25 * place, "value_ci": 0.02, "n": 900}
        for pot in (0, 5, 10, 40) for place, name in enumerate(held)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def pots(count):
    rows = []
    for players in range(3, 3 + count):
        base = {"players": players, "value_ci": 0.003, "n": 20_000}
        rows.append({**base, "quantity": "deals", "stratum": "", "value": 2.108})
        rows.append({**base, "quantity": "pot", "stratum": "1", "value": players})
        for spoiled in range(12):
            share = (1 - 2 / players) ** spoiled
            rows.append({**base, "quantity": "standing", "stratum": str(spoiled), "value": share})
    return pd.DataFrame(rows)


def pairs(count):
    rows = [
        {"trumps held": str(held), "turn-up": card, "value": RNG.normal(), "value_ci": 0.123,
         "n": 12_345}
        for held in range(count) for card in ("five", "jack", "ace", "king, queen", "low")
    ]  # fmt: skip
    rows[1] |= {"value_ci": np.nan, "n": 1}
    return pd.DataFrame(rows)


def groups():
    chances = np.linspace(0, 1, 9)
    return pd.DataFrame(
        {"evaluator": chances, "value": chances, "value_ci": 0.02, "n": 500, "method": "playouts"}
    )


DRAWN = {
    "standings": lambda n: plot.standings(standings(n), unit="points a deal"),
    "cross_table": lambda n: plot.cross_table(duels(n), unit="points a deal"),
    "convergence": lambda n: plot.convergence(
        RNG.normal(0.2, 1, 500), what=f"payoff of {names(1)[0]} less that of {names(2)[1]}",
        unit="points a deal",
    ),
    "seat_advantage": lambda n: plot.seat_advantage(seats(max(2, n)), unit="chips a deal"),
    "few payoffs": lambda n: plot.payoff_distribution(distributions(n, 6), unit="chips a deal"),
    "many payoffs": lambda n: plot.payoff_distribution(distributions(n, 4000), unit="points"),
    "decision_times": lambda n: plot.decision_times(times(n)),
    "ratings": lambda n: plot.ratings(ratings(n)),
    "renege_use": lambda n: plot.renege_use(decisions(n)),
    "rob_rates": lambda n: plot.rob_rates(decisions(n)),
    "jink_rates": lambda n: plot.jink_rates(decisions(n)),
    "lead_choices": lambda n: plot.lead_choices(decisions(n)),
    "bidding_profile": lambda n: plot.bidding_profile(decisions(n)),
    "pot_growth": lambda n: plot.pot_growth(decisions(n)),
    "break_even": lambda n: plot.break_even(jinks(n), n),
    "pot_lives": lambda n: plot.pot_lives(pots(n)),
    "strata_heat_map": lambda n: plot.strata_heat_map(pairs(n)),
}  # fmt: skip


def shown_texts(axes):
    """Return all texts that are drawn; ticks outside the view are not."""
    ticks = set()
    for axis in (axis for some in axes.figure.axes for axis in (some.xaxis, some.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            if not low <= tick.get_loc() <= high:
                ticks |= {tick.label1, tick.label2}
    texts = axes.figure.findobj(lambda artist: isinstance(artist, Text))
    return [text for text in texts if text.get_visible() and text.get_text() and text not in ticks]


def overlap(first, second):
    wide = min(first.x1, second.x1) - max(first.x0, second.x0)
    high = min(first.y1, second.y1) - max(first.y0, second.y0)
    return wide > 1 and high > 1


@pytest.mark.parametrize("bots", [2, 8])
@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_named_and_nothing_is_clipped(name, bots):
    axes = DRAWN[name](bots)
    figure = axes.figure
    figure.draw_without_rendering()
    assert axes.get_xlabel()
    assert re.search(r"n = |n calls|n leads|n opportunities", axes.get_title(loc="left"))
    width, height = figure.bbox.size
    for text in shown_texts(axes):
        box = text.get_window_extent()
        assert box.x0 > -1, text
        assert box.y0 > -1, text
        assert box.x1 < width + 1, text
        assert box.y1 < height + 1, text
    frame = axes.get_window_extent()
    assert frame.width > 0.35 * width
    if axes.get_legend():
        assert not overlap(axes.get_legend().get_window_extent(), frame)
    for axis in (axes.xaxis, axes.yaxis):
        boxes = [t.get_window_extent() for t in axis.get_ticklabels() if t.get_text()]
        apart = [not overlap(a, b) for a, b in pairwise(boxes)]
        assert all(apart), f"labels of {axis.axis_name} overlap"


WITH_BARS = [
    "standings", "seat_advantage", "ratings", "renege_use", "rob_rates", "jink_rates",
    "lead_choices", "bidding_profile", "break_even", "pot_lives",
]  # fmt: skip


@pytest.mark.parametrize("name", WITH_BARS)
def test_intervals_are_drawn(name):
    axes = DRAWN[name](2)
    bars = [found for found in axes.containers if isinstance(found, ErrorbarContainer)]
    assert bars
    assert all(found.has_xerr or found.has_yerr for found in bars)
    assert (
        "95 % interval"
        in (axes.get_xlabel() + axes.get_ylabel()).replace("\u00a0", " ").replace("\n", " ")
        or name == "ratings"
    )


def test_looks_differ_without_colour():
    assert len({look.marker for look in LOOKS}) == len(LOOKS)
    assert len({str(look.line) for look in LOOKS}) == len(LOOKS)
    assert len({look.hatch for look in LOOKS}) == len(LOOKS)
    axes = plot.lead_choices(decisions(8))
    lines = [found[0] for found in axes.containers if isinstance(found, ErrorbarContainer)]
    assert len({line.get_marker() for line in lines}) == 8


def test_a_figure_goes_into_given_axes():
    axes = Figure().add_subplot()
    assert plot.standings(standings(3), axes=axes) is axes


def test_the_cross_table_marks_what_is_clear_and_is_centred():
    table = pd.DataFrame(
        {
            "bot": ["a", "a"], "against": ["b", "c"], "payoff": [1.0, 0.1],
            "payoff_ci": [0.1, 0.2], "boards": [500, 500],
        }
    )  # fmt: skip
    axes = plot.cross_table(table)
    texts = [text.get_text() for text in axes.texts]
    assert "+1.00*\n± 0.10" in texts
    assert "-1.00*\n± 0.10" in texts
    assert "+0.10\n± 0.20" in texts
    low, high = axes.images[0].get_clim()
    assert low == -high


def test_convergence_ends_at_the_mean():
    values = RNG.normal(0.3, 1, 1000)
    axes = plot.convergence(values)
    line = next(line for line in axes.lines if line.get_label() == "mean so far")
    assert line.get_ydata()[-1] == pytest.approx(values.mean())
    halves = plot.convergence(values.reshape(500, 2).sum(axis=1), np.full(500, 2))
    line = next(line for line in halves.lines if line.get_label() == "mean so far")
    assert line.get_xdata()[-1] == 1000
    with pytest.raises(RunError, match="three boards"):
        plot.convergence([1.0, 2.0])


def test_a_share_of_independent_decisions_is_wilsons():
    hits = np.arange(400) % 4 == 0
    share = plot.clustered_share(hits, np.arange(400))
    expected = binomtest(100, 400).proportion_ci(method="wilson")
    assert (share.low, share.high) == pytest.approx((expected.low, expected.high), abs=2e-3)


def test_decisions_that_go_together_tell_less():
    hits = np.arange(100) % 3 == 0
    alone = plot.clustered_share(hits, np.arange(100))
    together = plot.clustered_share(np.repeat(hits, 4), np.repeat(np.arange(100), 4))
    assert together.high - together.low == pytest.approx(alone.high - alone.low, rel=0.02)
    never = plot.clustered_share(np.zeros(400), np.repeat(np.arange(100), 4))
    assert never.low == 0
    assert 0.03 < never.high < 0.05


def test_a_figure_without_data_says_what_there_is():
    plays = decisions(2)
    plays = plays[plays["kind"].isin(["rob", "play"])].assign(pot_before=0)
    with pytest.raises(
        RunError, match=r"no auction.*can be drawn: renege_use, rob_rates, lead_cho"
    ):
        plot.bidding_profile(plays)
    with pytest.raises(RunError, match="no whole games with a pot"):
        plot.pot_growth(plays)
    with pytest.raises(RunError, match="jink"):
        plot.jink_rates(plays)
    with pytest.raises(RunError, match="no rows"):
        plot.standings(standings(2).iloc[:0])


def test_trumps_of_both_families():
    assert is_trump("AH", "S")
    assert is_trump("10S", "S")
    assert not is_trump("JC", "S")
    assert is_trump("JC", "S", bowers=True)
    assert not is_trump("AH", "S", bowers=True)
    assert not is_trump("JK", "NT", bowers=True)


def test_names_are_wrapped_and_shortened():
    assert wrapped("heuristic") == "heuristic"
    assert max(map(len, wrapped("x" * 70).split("\n"))) <= 20
    assert shortened("abcdefghij", 5) == "ab…ij"


def test_a_name_is_no_formula_and_ids_have_a_prefix():
    axes = plot.standings(standings(2).assign(bot=["$\\frac{$", "<b>&"]))
    first, second = plot.inline_svg(axes, "one"), plot.inline_svg(axes, "two")
    assert "http" not in first
    assert "<metadata" not in first
    ids = set(re.findall(r'\bid="([^"]*)"', first)), set(re.findall(r'\bid="([^"]*)"', second))
    assert ids[0]
    assert not ids[0] & ids[1]
    assert {x.removeprefix("#") for x in re.findall(r'href="([^"]*)"', first)} <= ids[0]


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(RunError, match="'xyz'"):
        plot.save_figure(plot.standings(standings(2)), tmp_path / "a.xyz")


def test_the_ladder_is_drawn():
    table = pd.DataFrame(
        {
            "game": "forty-five", "players": 2, "bot": ["mc", "mc", "pimc", "random"],
            "ms_mean": [0.1, 1.0, 2.0, 0.01], "payoff": [0.1, 0.3, 0.4, -1],
            "payoff_ci": 0.1, "unit": "points a deal",
        }
    )  # fmt: skip
    figure = plot.strength_ladder(table)
    figure.draw_without_rendering()
    assert len(figure.axes) == 1


def test_the_chance_a_jink_needs_is_drawn_beside_jinks_made():
    axes = plot.break_even()
    curves = {line.get_label(): line for line in axes.lines}
    assert len(curves) == 4  # of six: who counts the share needs what one more needs who does not
    assert "needed, 4 players\n= 5 players, no share left" in curves
    pots, chances = curves["needed, 5 players"].get_data()
    assert chances == pytest.approx(pots / (pots + 5))
    pots, chances = curves["needed, 3 players, no share left"].get_data()
    assert chances == pytest.approx(pots / (pots + 2))
    assert "bars" not in axes.get_ylabel()
    axes = plot.break_even(jinks(5), 5)
    made = [found for found in axes.containers if isinstance(found, ErrorbarContainer)]
    assert [found.get_label() for found in made] == [
        "made, always jinking", *(f"made, trumps held: {held}" for held in range(3)),
    ]  # fmt: skip
    assert made[0][0].get_xdata() == pytest.approx([5, 10, 15, 45])  # the antes are in
    assert axes.get_xlim()[1] > 45
    with pytest.raises(RunError, match="no jinks of 4 players"):
        plot.break_even(jinks(5), 4)
    with pytest.raises(RunError, match="has no pot"):
        plot.break_even(rules=find_rules("forty-five:jink=on"))


def test_pots_are_drawn_with_what_they_last():
    axes = plot.pot_lives(pots(2))
    assert axes.get_yscale() == "log"
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    assert told == [
        f"{n} players: 2.1080 ± 0.0030 deals a pot,\n{n} chips left by the first" for n in (3, 4)
    ]
    with pytest.raises(RunError, match="no pots"):
        plot.pot_lives(pots(2).iloc[:0])


def test_cells_have_a_sign_an_interval_and_n_and_lone_cases_are_blank():
    table = pairs(3)
    axes = plot.strata_heat_map(table)
    assert len(axes.texts) == len(table) - 1
    assert all(re.match(r"[+-]\d+\.\d+ ± 0\.12\nn=12 345", t.get_text()) for t in axes.texts)
    assert np.isnan(axes.images[0].get_array().filled(np.nan)[0, 1])
    low, high = axes.images[0].get_clim()
    assert low == -high
    assert axes.figure.axes[1].get_ylabel() == "gain (chips an opportunity)"


def test_calibration_has_its_diagonal_and_says_what_is_predicted():
    axes = plot.calibration(groups())
    axes.figure.draw_without_rendering()
    assert list(axes.lines[0].get_xdata()) == list(axes.lines[0].get_ydata()) == [0, 1]
    assert "predicted chance of three tricks" in axes.get_xlabel()
    assert "95\u00a0% interval" in axes.get_ylabel().replace("\n", " ")
    assert axes.get_title(loc="left").endswith("n = 500 deals a group")
    (bars,) = (found for found in axes.containers if isinstance(found, ErrorbarContainer))
    assert bars.has_yerr
    assert bars.get_label() == "playouts"
    assert plot.calibration(groups().drop(columns="method")).get_legend()


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_figure_is_the_same_file(tmp_path, suffix):
    written = []
    for name in "ab":
        axes = plot.heat_map(
            pd.DataFrame(
                {"a": ["x", "y"], "b": ["u", "u"], "value": [1.0, -2.0], "value_ci": [0.5, 0.1],
                 "n": [3, 4]}
            ), "a", "b",
        )  # fmt: skip
        plot.save_figure(axes, tmp_path / f"{name}.{suffix}")
        written.append((tmp_path / f"{name}.{suffix}").read_bytes())
    assert written[0] == written[1]
