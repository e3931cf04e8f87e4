"""One look for all figures: colours that colour-blind people tell apart, and signs beside them.

The only module that loads matplotlib (``pip install "forty5sim[report]"``), and when it is used.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from forty5sim.errors import RunError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure


class Look(NamedTuple):
    """How one bot is drawn: told apart by colour, and without colour by marker, line or hatch."""

    colour: str
    marker: str
    line: Any
    hatch: str


# Okabe and Ito's palette, the darker ones first; grey for its yellow, which is lost on white
LOOKS = (
    Look("#0072B2", "o", "-", ""),
    Look("#D55E00", "s", "--", "////"),
    Look("#009E73", "^", "-.", "...."),
    Look("#CC79A7", "D", ":", "\\\\\\\\"),
    Look("#E69F00", "v", (0, (5, 1, 1, 1, 1, 1)), "xxxx"),
    Look("#56B4E9", "P", (0, (8, 2)), "----"),
    Look("#000000", "X", (0, (3, 1)), "++++"),
    Look("#777777", "*", (0, (1, 3)), "oooo"),
)
GREY = "#555555"
WIDTH = 6.4
LINE_LENGTH = 54
LABEL_LENGTH = 34
NAME_WIDTH = 20
RC = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "hatch.linewidth": 0.6,
    "text.parse_math": False,  # a bot's name may hold a dollar
    "text.usetex": False,
    "svg.fonttype": "path",
}


def load(module: str) -> Any:
    """Import a module of matplotlib and return it.

    Raises:
        RunError: if it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise RunError('figures need matplotlib: pip install "forty5sim[report]"') from None


@contextmanager
def styled() -> Iterator[None]:
    """Draw in this look meanwhile."""
    with load("matplotlib").rc_context(RC):
        yield


def look(place: int) -> Look:
    """Return the look of the bot at this place; after eight they come again."""
    return LOOKS[place % len(LOOKS)]


def new_figure(width: float = WIDTH, height: float = 4.0) -> Figure:
    """Return an empty figure of this size in inches, which makes room for its labels."""
    figure: Figure = load("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    return figure


def axes_or_new(axes: Axes | None, height: float, width: float = WIDTH) -> Axes:
    """Return the axes that were given, or those of a new figure of this size in inches."""
    return new_figure(width, height).add_subplot() if axes is None else axes


def figure_of(axes: Axes) -> Figure:
    """Return the figure that these axes are in."""
    figure: Any = axes.figure
    return figure  # type: ignore[no-any-return]


def save_figure(axes: Axes, path: Path, dots: int = 150) -> None:
    """Write the figure of these axes to a file; its suffix says the format.

    The same figure is the same file, byte by byte, in PNG and SVG.

    Raises:
        RunError: for a format that is not known.
    """
    known = sorted(figure_of(axes).canvas.get_supported_filetypes())
    suffix = path.suffix.lstrip(".").lower()
    if suffix not in known:
        raise RunError(f"{str(path)!r}: no picture is written as {suffix!r}; known: {known}")
    same: dict[str, Any] = {"metadata": {"Date": None}} if suffix == "svg" else {}
    with styled(), load("matplotlib").rc_context({"svg.hashsalt": "forty5sim"}), _quiet():
        figure_of(axes).savefig(path, dpi=dots, format=suffix, **same)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep quiet about letters of a name that the font has not."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def inline_svg(axes: Axes, prefix: str) -> str:
    """Return the figure of these axes as an SVG element for a page.

    Args:
        axes: what was drawn.
        prefix: of all ids, so that several figures on a page do not take one another's.
    """
    text = io.StringIO()
    with load("matplotlib").rc_context({**RC, "svg.hashsalt": prefix}), _quiet():
        figure_of(axes).savefig(text, format="svg")
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", svg).replace("xlink:href", "href")
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'href="#|url\(#', lambda found: f"{found[0]}{prefix}-", svg)
    width, height = (72 * side for side in figure_of(axes).get_size_inches())
    head = f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}pt" role="img">'
    return re.sub(r"<svg\b[^>]*>", head, svg, count=1)


def shortened(name: str, most: int) -> str:
    """Return a name of at most so many letters; what is left out is in the middle.

    >>> shortened("ismcts:iterations=5000", 11)
    'ismct…=5000'
    """
    if len(name) <= most:
        return name
    end = (most - 1) // 2
    return f"{name[: most - 1 - end]}…{name[len(name) - end :]}"


def wrapped(name: str, width: int = NAME_WIDTH, lines: int = 2) -> str:
    """Return a name on a few lines, broken after a sign where there is one.

    >>> wrapped("ismcts:iterations=5000,worlds=20").splitlines()
    ['ismcts:', 'iterations=5000,wor…']
    """
    pieces = re.findall(r"[^\s:,=_/.-]*[\s:,=_/.-]?", name)
    rows = [""]
    for piece in filter(None, pieces):
        if rows[-1] and len(rows[-1] + piece.rstrip()) > width:
            rows.append("")
        rows[-1] += piece
    if len(rows) > lines or max(len(row.rstrip()) for row in rows) > width:
        text = shortened(name, width * lines)
        rows = [text[at : at + width] for at in range(0, len(text), width)]
    return "\n".join(row.rstrip() for row in rows)


def title(axes: Axes, text: str, note: str = "") -> None:
    """Write a title at the left, and below it what it rests on."""
    lines = filter(None, (_lines(text, LINE_LENGTH), _lines(note, LINE_LENGTH)))
    axes.set_title("\n".join(lines), loc="left")


def _lines(text: str, width: int) -> str:
    """Return a text on lines of this width; a number is not parted from what it counts."""
    kept = re.sub(r"(?<=\d) (?=[%\d])", "\u00a0", text)
    return "\n".join(textwrap.wrap(kept, width))


def label(axes: Axes, *, x: str = "", y: str = "") -> None:
    """Name the axes, on several lines where a text is long."""
    axes.set_xlabel(_lines(x, LINE_LENGTH))
    axes.set_ylabel(_lines(y, LABEL_LENGTH))


def name_ticks(axis: Axis, places: Sequence[float], names: Sequence[str]) -> None:
    """Write names at places of an axis, as they are: nothing in them is a formula."""
    axis.set_ticks(list(places), list(names))
    for tick in axis.get_ticklabels():
        tick.set_parse_math(False)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Make the vertical axis a list, the first name at the top."""
    name_ticks(axes.yaxis, range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="x", alpha=0.3)
    axes.set_axisbelow(True)


def legend_beside(axes: Axes, **options: Any) -> None:
    """Put the legend to the right of the axes, where it hides nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, **options)


def number(value: float, half_width: float, *, sign: str = "+") -> str:
    """Return a value and its half-width, with two digits of the half-width that mean something."""
    from forty5sim.stats import Estimate

    digits = Estimate(value, half_width, 2).digits()
    value = 0.0 if value == 0 else value  # not -0.0
    if not half_width >= 0:
        return f"{value:{sign}.{digits}f}"
    return f"{value:{sign}.{digits}f} ± {half_width:.{digits}f}"


def counted(count: int, what: str = "boards") -> str:
    """Return a count for a title: ``n = 20 000 boards``."""
    return f"n = {count:,} {what}".replace(",", " ")


def count_range(counts: Sequence[int], what: str = "boards") -> str:
    """Return the counts of several groups: one number, or from the least to the most."""
    least, most = min(counts), max(counts)
    if least == most:
        return counted(least, what)
    return f"n = {least:,} to {most:,} {what}".replace(",", " ")


def with_unit(what: str, *notes: str) -> str:
    """Return the name of an axis with its unit and what else there is to say."""
    said = "; ".join(filter(None, notes))
    return f"{what} ({said})" if said else what


def plain_log(axes: Axes, which: str) -> None:
    """Write the numbers of a log scale as they are."""
    tickers = load("matplotlib.ticker")
    axis: Any = axes.xaxis if which == "x" else axes.yaxis
    low, high = axis.get_view_interval()
    few = high / low < 50
    axis.set_major_locator(tickers.LogLocator(subs=(1, 2, 5) if few else (1,), numticks=12))
    axis.set_major_formatter(tickers.FuncFormatter(lambda value, _: _short(value)))
    axis.set_minor_formatter(tickers.NullFormatter())


def _short(value: float) -> str:
    """Return a number of an axis: ``0.05``, ``20``, ``10k``."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e3 if sign == 'k' else size):g}{sign}"
    return f"{value:g}"
