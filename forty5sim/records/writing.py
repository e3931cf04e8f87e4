"""Writes deal records, one line each, whole lines only."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Literal, TextIO

from forty5sim.errors import RecordError
from forty5sim.files import written_whole
from forty5sim.records.form import Record


class RecordWriter:
    """A file that records are added to; each is on disk when ``write`` returns.

    Args:
        path: the file; its folder is made if need be. One that is there is gone on with.

    Raises:
        RecordError: if the file cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _opened(self.path, "a")
        except OSError as error:
            raise cannot_write(self.path, error) from None

    def write(self, record: Record) -> None:
        """Add a record."""
        try:
            self._file.write(record.to_json() + "\n")
            self._file.flush()
        except OSError as error:
            raise cannot_write(self.path, error) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write a file of records and return their number; the file appears when it is complete.

    Raises:
        RecordError: if the file cannot be written; nothing is left behind then.
    """
    path = Path(path)
    count = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as temporary, _opened(temporary, "w") as file:
            for record in records:
                file.write(record.to_json() + "\n")
                count += 1
    except OSError as error:
        raise cannot_write(path, error) from None
    return count


def _opened(path: Path, mode: Literal["a", "w"]) -> TextIO:
    return path.open(mode, encoding="utf-8", newline="\n")


def cannot_write(path: Path, error: OSError) -> RecordError:
    """Return the error of a file of records that cannot be written."""
    return RecordError(f"cannot write {str(path)!r}: {error.strerror}")
