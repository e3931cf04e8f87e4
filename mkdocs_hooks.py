"""What the site shows from outside docs/: the studies with their figures, and pages of the top."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
TOP = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")
STUDIES = "results/README.md"
TABLE = re.compile(r"`([\w-]+/\w+)\.csv`")
SECTION = re.compile(r"^(?=## )", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the top, the studies, and their tables and figures."""
    kept = (path for kind in ("csv", "svg", "png") for path in ROOT.glob(f"results/*/*.{kind}"))
    for path in (*(ROOT / name for name in (*TOP, STUDIES)), *kept):
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put figure and table below each study; lead links out of docs/ to the pages added here."""
    if page.file.src_uri != STUDIES:
        return markdown.replace("](../", "](")
    return "".join(_with_figure(section) for section in SECTION.split(markdown))


def _with_figure(section: str) -> str:
    """Return a section with the figure and the link to the table that it names."""
    named = TABLE.search(section)
    if not named:
        return section
    table = named[1] + ".csv"
    added = f"\n[The whole table]({table})\n"
    if (ROOT / "results" / f"{named[1]}.svg").is_file():
        title = section.splitlines()[0].lstrip("# ")
        added = f"\n![{title}]({named[1]}.svg)\n" + added
    return section + added + "\n"
