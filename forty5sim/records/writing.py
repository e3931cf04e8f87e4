"""Writes deal records, one line each, whole lines only."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from forty5sim.errors import RecordError
from forty5sim.records.form import Record


class RecordWriter:
    """A file that records are added to; each is on disk when ``write`` returns.

    Args:
        path: the file; its folder is made if need be.
        fresh: begin a new file; else go on at the end of one that is there.

    Raises:
        RecordError: if the file cannot be written.
    """

    def __init__(self, path: str | Path, *, fresh: bool = False) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("w" if fresh else "a", encoding="utf-8", newline="\n")
        except OSError as error:
            raise self._cannot_write(error) from None

    def write(self, record: Record) -> None:
        """Add a record."""
        try:
            self._file.write(record.to_json() + "\n")
            self._file.flush()
        except OSError as error:
            raise self._cannot_write(error) from None

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

    def _cannot_write(self, error: OSError) -> RecordError:
        return RecordError(f"cannot write {str(self.path)!r}: {error.strerror}")


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write a file of records and return their number; the file appears when it is complete.

    Raises:
        RecordError: if the file cannot be written; nothing is left behind then.
    """
    path = Path(path)
    temporary = path.with_name(path.name + ".tmp")
    count = 0
    try:
        with RecordWriter(temporary, fresh=True) as writer:
            for record in records:
                writer.write(record)
                count += 1
        temporary.replace(path)
    except OSError as error:
        raise RecordError(f"cannot write {str(path)!r}: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)
    return count
