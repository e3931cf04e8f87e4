"""A run's folder: the manifest, parts written whole or not at all, reading them back.

Parts are Arrow files: most counts fit into a byte, and Parquet has no column of bytes; to write it
takes more than twice as long (measured), which was a tenth of a tournament.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from forty5sim.errors import RunError
from forty5sim.files import written_whole
from forty5sim.kernels import summing

MANIFEST = "manifest.json"
PARTS = "parts"
RECORDS = "records.jsonl"
DECISIONS = "decisions.parquet"
REPORT = "report.html"
FIGURES = "figures"
LOCK = ".lock"
TIMES = "times.csv"
SUMMARIES = ("standings", "duels", "seats", "contracts", "trumps")
TABLES = (TIMES, *(f"{name}.csv" for name in SUMMARIES))
PACKING = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
SUFFIX = ".arrow"
KEYS = ("pairing", "board", "replay")
_FAULTS = b"forty5sim.faults"
_PART_NAME = re.compile(r"boards-(\d+)-(\d+)\.arrow")


@dataclass(frozen=True)
class Part:
    """A file with boards ``first`` .. ``first + count - 1`` of every pairing."""

    path: Path
    first: int
    count: int


class RunFolder:
    """The files of one run; the manifest says what was asked, the parts what came of it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def exists(self) -> bool:
        """Say whether there is a run here."""
        try:
            return (self.path / MANIFEST).is_file()
        except OSError:
            return False

    def create(self, manifest: dict[str, Any]) -> None:
        """Make the folder and write the manifest.

        Raises:
            RunError: if the folder cannot be written.
        """
        try:
            (self.path / PARTS).mkdir(parents=True, exist_ok=True)
            self._write_whole(MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
        except OSError as error:
            raise RunError(f"cannot write to {str(self.path)!r}: {error.strerror}") from None

    def manifest(self) -> dict[str, Any]:
        """Read the manifest.

        Raises:
            RunError: if there is none, or it cannot be read.
        """
        path = self.path / MANIFEST
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunError(f"{str(self.path)!r} is no run folder: it has no {MANIFEST}") from None
        except (OSError, ValueError) as error:
            raise RunError(f"cannot read {str(path)!r}: {error}") from None
        if not isinstance(found, dict):
            raise RunError(f"{str(path)!r} holds no manifest: expected an object")
        return found

    def parts(self) -> list[Part]:
        """Return the finished parts in the order of their boards.

        Raises:
            RunError: if two of them overlap, or an earlier version wrote them.
        """
        found = []
        for path in (self.path / PARTS).glob("boards-*.parquet"):
            raise RunError(f"part {str(path)!r} is of an earlier version; start anew with --fresh")
        for path in (self.path / PARTS).glob(f"boards-*{SUFFIX}"):
            name = _PART_NAME.fullmatch(path.name)
            if name:
                found.append(Part(path, int(name[1]), int(name[2])))
        found.sort(key=lambda part: part.first)
        for part, after in pairwise(found):
            if part.first + part.count > after.first:
                raise RunError(
                    f"parts {str(part.path)!r} and {after.path.name!r} hold the same boards;"
                    " delete one and run again"
                )
        return found

    def write_part(self, first: int, count: int, data: bytes) -> None:
        """Write the rows of some boards as ``PartRows`` has packed them.

        The file appears under its name only when it is complete.

        Raises:
            RunError: if it cannot be written; nothing is left behind then.
        """
        path = self.path / PARTS / f"boards-{first:012d}-{count}{SUFFIX}"
        try:
            with written_whole(path) as temporary:
                temporary.write_bytes(data)
        except OSError as error:
            raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from None

    def read_part(
        self, part: Part, pairings: int, columns: list[str]
    ) -> tuple[list[NDArray[np.int32]], list[dict[str, Any]]]:
        """Read a part back: the rows of each pairing, and the faults.

        Raises:
            RunError: if the file is damaged.
        """
        try:
            table = _read_table(part.path)
            faults = json.loads((table.schema.metadata or {}).get(_FAULTS, b"[]"))
            data = np.column_stack([_to_numpy(table.column(name)) for name in columns])
            pairing = _to_numpy(table.column("pairing"))
        except (OSError, pa.ArrowException, KeyError, ValueError) as error:
            raise RunError(
                f"part {str(part.path)!r} cannot be read ({error}); delete it and run again"
            ) from None
        data = data.astype(np.int32, copy=False)
        return [
            data[pairing == p].reshape(part.count, -1, len(columns)) for p in range(pairings)
        ], faults

    def write_table(self, name: str, table: pa.Table) -> None:
        """Write a table of the run as a Parquet file, whole or not at all.

        Raises:
            RunError: if it cannot be written.
        """
        path = self.path / name
        try:
            with written_whole(path) as temporary:
                pq.write_table(table, temporary, compression="zstd", write_statistics=False)
        except OSError as error:
            raise RunError(f"cannot write {str(path)!r}: {error}") from None

    def clear(self) -> None:
        """Delete what an earlier run has left here."""
        for part in (self.path / PARTS).glob("boards-*"):
            part.unlink()
        for name in (RECORDS, DECISIONS, REPORT, *TABLES):
            (self.path / name).unlink(missing_ok=True)
        for figure in (self.path / FIGURES).glob("*"):
            figure.unlink()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing here meanwhile.

        Raises:
            RunError: if one does already, or the folder cannot be written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path / LOCK, timeout=0)
            lock.acquire()
        except Timeout:
            raise RunError(
                f"another process is playing the run in {str(self.path)!r}; wait for it, or give"
                " this one another --name"
            ) from None
        except OSError as error:
            raise RunError(f"cannot write to {str(self.path)!r}: {error.strerror}") from None
        try:
            yield
        finally:
            lock.release()

    def write_csv(self, name: str, rows: list[dict[str, Any]]) -> None:
        """Write a small table of the run; all rows have the same keys, and none is no file."""
        if not rows:
            return
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        self._write_whole(name, text.getvalue())

    def _write_whole(self, name: str, text: str) -> None:
        with written_whole(self.path / name) as temporary:
            temporary.write_text(text, encoding="utf-8")


class PartRows:
    """The rows of a part in the making, field by field; blocks of boards are put in as they come.

    Args:
        first: number of the first board.
        boards: how many.
        replays: how often each pairing plays a board.
        columns: names of a row's fields, in order, and whether each may be too large for a byte.
    """

    def __init__(
        self, first: int, boards: int, replays: Sequence[int], columns: Mapping[str, bool]
    ) -> None:
        self.first = first
        self.boards = boards
        self.replays = replays
        self.names = list(columns)
        are_large = np.array(list(columns.values()))
        self.large_fields, self.small_fields = are_large.nonzero()[0], (~are_large).nonzero()[0]
        total = boards * sum(replays)
        self.large = np.empty((len(self.large_fields), total), dtype=np.int32)
        self.small = np.empty((len(self.small_fields), total), dtype=np.int8)

    def put(self, first: int, results: Sequence[NDArray[np.int32]]) -> None:
        """Put in boards from ``first`` on: rows (boards, replays, fields) of every pairing."""
        start = 0
        for replays, result in zip(self.replays, results, strict=True):
            summing.write_columns(
                result.reshape(-1, len(self.names)),
                self.large_fields,
                self.large,
                self.small_fields,
                self.small,
                start + (first - self.first) * replays,
            )
            start += self.boards * replays

    def packed(self, faults: Sequence[dict[str, Any]]) -> bytes:
        """Return an Arrow file of all rows, and of what bots did wrong."""
        columns = self._keys() | self._columns()
        found = {name: _to_arrow(array) for name, array in columns.items()}
        schema = pa.schema(
            [pa.field(name, array.type, nullable=False) for name, array in found.items()],
            metadata={_FAULTS: json.dumps(faults).encode()},
        )
        file = io.BytesIO()
        with pa.ipc.new_file(file, schema, options=PACKING) as writer:
            writer.write_batch(pa.record_batch(list(found.values()), schema=schema))
        return file.getvalue()

    def _columns(self) -> dict[str, NDArray[Any]]:
        """Return the fields in their order."""
        by_place: dict[int, NDArray[Any]] = dict(zip(self.large_fields, self.large, strict=True))
        by_place |= zip(self.small_fields, self.small, strict=True)
        return {name: by_place[place] for place, name in enumerate(self.names)}

    def _keys(self) -> dict[str, NDArray[Any]]:
        """Return the columns that say which replay a row is: ``KEYS``."""
        counts = [self.boards * replays for replays in self.replays]
        numbers = np.arange(self.first, self.first + self.boards)
        boards = [np.repeat(numbers, replays) for replays in self.replays]
        places = [
            np.tile(np.arange(replays, dtype=np.int16), self.boards) for replays in self.replays
        ]
        pairings = np.repeat(np.arange(len(counts), dtype=np.int16), counts)
        return dict(
            zip(KEYS, (pairings, np.concatenate(boards), np.concatenate(places)), strict=True)
        )


def read_rows(folder: Path) -> pa.Table:
    """Return the rows of all parts of a run, every count in 32 bits at least."""
    parts = [_read_table(part.path) for part in RunFolder(folder).parts()]
    table = pa.concat_tables(part.replace_schema_metadata() for part in parts)
    wide = [
        field.with_type(pa.int32()) if field.type == pa.int8() else field for field in table.schema
    ]
    return table.cast(pa.schema(wide))


def _read_table(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _to_arrow(array: NDArray[Any]) -> pa.Array:
    """Wrap a numpy array; by its buffer, because every other way makes pyarrow load pandas."""
    kind = pa.from_numpy_dtype(array.dtype)
    return pa.Array.from_buffers(kind, array.size, [None, pa.py_buffer(array)])


def _to_numpy(column: pa.ChunkedArray) -> NDArray[Any]:
    """Return a column of whole numbers, by its buffer for the same reason."""
    array = column.combine_chunks()
    dtype = np.dtype(array.type.to_pandas_dtype())
    buffer = array.buffers()[1]
    return np.frombuffer(buffer, dtype, count=len(array), offset=array.offset * dtype.itemsize)


def missing_ranges(parts: list[Part], boards: int) -> Iterator[tuple[int, int]]:
    """Yield the (first, count) of the boards that no part holds yet."""
    at = 0
    for part in parts:
        if part.first > at:
            yield at, part.first - at
        at = max(at, part.first + part.count)
    if at < boards:
        yield at, boards - at
