"""A run's folder: the manifest, parts written whole or not at all, reading them back.

Parts are Arrow files with a column for each field of a row: most counts fit into a byte, and
Parquet has no column of bytes; to write it takes more than twice as long (measured). Their rows are
in the order of pairings, replays, boards, so which is which need not be written down.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
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

from forty5sim.arena.conditions import Columns
from forty5sim.errors import RunError
from forty5sim.files import written_whole

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
_SAID = b"forty5sim"
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
        """Write the rows of some boards as ``pack_part`` has packed them.

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


def pack_part(
    results: Sequence[Columns], fields: Sequence[str], faults: Sequence[dict[str, Any]]
) -> bytes:
    """Return a file of the columns of every pairing, and of what bots did wrong."""
    by_field = zip(*(result.swapaxes(0, 1) for result in results), strict=True)
    arrays = [_to_arrow(_joined(found)) for found in by_field]
    said = {"replays": [len(result) for result in results], "faults": list(faults)}
    schema = pa.schema(
        [pa.field(name, a.type, nullable=False) for name, a in zip(fields, arrays, strict=True)],
        metadata={_SAID: json.dumps(said).encode()},
    )
    file = io.BytesIO()
    with pa.ipc.new_file(file, schema, options=PACKING) as writer:
        writer.write_batch(pa.record_batch(arrays, schema=schema))
    return file.getvalue()


def read_part(
    part: Part, fields: Sequence[str], replays: Sequence[int]
) -> tuple[list[Columns], list[dict[str, Any]]]:
    """Read a part back: the columns of each pairing, and the faults.

    Args:
        part: which.
        fields: names of a row's fields, in order.
        replays: how often each pairing plays a board.

    Raises:
        RunError: if the file is damaged, of another plan, or an earlier version wrote it.
    """
    found, said = _read_file(part)
    if list(found) != list(fields) or said["replays"] != list(replays):
        raise RunError(f"part {str(part.path)!r} is of another plan; delete it and run again")
    return _by_pairing(found, replays, part), said["faults"]


def read_rows(folder: Path) -> dict[str, NDArray[Any]]:
    """Return the rows of all parts of a run by field, and before the fields ``KEYS``."""
    found = [_rows_of(part) for part in RunFolder(folder).parts()]
    return {name: np.concatenate([part[name] for part in found]) for name in found[0]}


def _rows_of(part: Part) -> dict[str, NDArray[Any]]:
    """Return the rows of a part in the order of ``KEYS``, every count in 32 bits."""
    found, said = _read_file(part)
    numbers = np.arange(part.first, part.first + part.count)
    parts = []
    for pairing, columns in enumerate(_by_pairing(found, said["replays"], part)):
        replays, fields, boards = columns.shape
        keys = np.full(boards * replays, pairing), np.repeat(numbers, replays)
        rows = columns.transpose(1, 2, 0).reshape(fields, -1)
        parts.append([*keys, np.tile(np.arange(replays), boards), *rows])
    whole = map(np.concatenate, zip(*parts, strict=True))
    return dict(zip((*KEYS, *found), whole, strict=True))


def _by_pairing(
    found: dict[str, NDArray[np.int32]], replays: Sequence[int], part: Part
) -> list[Columns]:
    """Return the columns of each pairing."""
    columns = np.stack(list(found.values())).reshape(len(found), sum(replays), part.count)
    parts = np.split(columns.swapaxes(0, 1), np.cumsum(replays)[:-1])
    return [np.ascontiguousarray(one) for one in parts]


def _read_file(part: Part) -> tuple[dict[str, NDArray[np.int32]], dict[str, Any]]:
    """Return the columns of a part, and what is said of them: ``replays`` and ``faults``.

    Raises:
        RunError: if the file is damaged, or an earlier version wrote it.
    """
    try:
        with pa.OSFile(str(part.path)) as file:
            table = pa.ipc.open_file(file).read_all()
        said = json.loads((table.schema.metadata or {}).get(_SAID, b"{}"))
        if table.num_rows != part.count * sum(said.get("replays", ())):
            raise ValueError("it has not so many rows as its name says")
        found = {
            name: _to_numpy(table.column(name)).astype(np.int32) for name in table.column_names
        }
    except (OSError, pa.ArrowException, ValueError) as error:
        raise RunError(
            f"part {str(part.path)!r} cannot be read ({error}); delete it and run again"
        ) from None
    return found, said


def _joined(parts: Sequence[NDArray[np.int32]]) -> NDArray[Any]:
    """Return a field of every pairing, shapes (replays, boards), in as few bytes as hold it."""
    low, high = min(int(part.min()) for part in parts), max(int(part.max()) for part in parts)
    kind = np.min_scalar_type(min(low, -1 - high))  # of a negative number: a signed type
    return np.concatenate(parts, dtype=kind, casting="unsafe").ravel()


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
