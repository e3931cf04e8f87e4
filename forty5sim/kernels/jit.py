"""The one place that compiles: ``kernel`` and ``entry``, and the stamp of the cache on disk.

numba's cache on disk does not notice an edit in another module: a kernel that calls a helper
keeps its old machine code when the helper changes. So the cache lives in a folder named after a
hash of all kernel sources; an edit anywhere starts a new folder, and the newest few are kept.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import njit
from numba.core.errors import NumbaExperimentalFeatureWarning
from platformdirs import user_cache_path

from forty5sim.kernels.pipeline import KernelCompiler

Function = TypeVar("Function", bound=Callable[..., Any])

KEPT_STAMPS = 4
"""How many cache folders are kept; each holds the kernels of one state of the sources."""

# first-class functions, on which the agents stand, are numba's one experimental feature used
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def is_compiled() -> bool:
    """Say whether kernels are compiled, or run as plain Python (``NUMBA_DISABLE_JIT=1``)."""
    return not numba.config.DISABLE_JIT


def cache_root() -> Path:
    """Return the folder of all caches: ``FORTY5SIM_CACHE_DIR`` or the user's cache folder."""
    chosen = os.environ.get("FORTY5SIM_CACHE_DIR")
    return Path(chosen) if chosen else user_cache_path("forty5sim", appauthor=False)


def kernel(function: Function) -> Function:
    """Compile a function that other kernels call; it becomes part of their machine code.

    To a type checker it is the identity: a kernel reads, and with the JIT off runs, as Python.
    """
    return _inner(function, forceinline=False)


def hot_kernel(function: Function) -> Function:
    """Compile a step of every play: as ``kernel``, always inlined, for speed over compile time."""
    return _inner(function, forceinline=True)


def _inner(function: Function, *, forceinline: bool) -> Function:
    if not is_compiled():
        return function
    return njit(
        nogil=True,
        error_model="numpy",
        forceinline=forceinline,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=KernelCompiler,
    )(function)


def plain(function: Function) -> Function:
    """Return the Python function that a kernel is made from, for Python to call."""
    return getattr(function, "py_func", function)


def compiled_as(intrinsic: Any) -> Callable[[Function], Function]:
    """Give a plain Python function its compiled twin: inside kernels the intrinsic stands for it.

    With the JIT off the function itself runs. Compiled, it can be called from kernels only.
    """

    def choose(function: Function) -> Function:
        return intrinsic if is_compiled() else function

    return choose


def entry(function: Function) -> Function:
    """Compile a function that Python calls, on its first call, and keep the code on disk."""
    if not is_compiled():
        return function
    folder = cache_folder(_sources_of(Path(function.__code__.co_filename)))
    before = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = str(folder) if folder else before
        compiled = njit(
            cache=folder is not None, nogil=True, error_model="numpy", no_cfunc_wrapper=True
        )(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled


COMPILING = "compiling for this machine, once; this takes some 20 seconds, with search bots 30 …"
"""What a command says before a first call that compiles."""


def is_cached(function: Callable[..., Any]) -> bool:
    """Say whether a kernel has machine code on disk, so that its first call is quick."""
    folder = cache_folder(_sources_of(Path(function.__code__.co_filename)))
    if not is_compiled() or folder is None:
        return not is_compiled()
    source = Path(function.__code__.co_filename).stem
    return any(folder.rglob(f"{source}.{function.__name__}-*.nbi"))


def lock_file(function: Callable[..., Any]) -> Path | None:
    """Return the file to lock while an entry is compiled; None if no code is kept on disk."""
    source = Path(function.__code__.co_filename)
    folder = cache_folder(_sources_of(source))
    return folder / f"{source.stem}.{function.__name__}.lock" if folder else None


def can_cache() -> bool:
    """Say whether machine code can be kept on disk."""
    return cache_folder(_sources_of(Path(__file__))) is not None


def cache_size() -> int:
    """Return the bytes that all caches take."""
    root = cache_root()
    return sum(path.stat().st_size for path in root.rglob("*") if path.is_file())


@cache
def cache_folder(sources: tuple[Path, ...]) -> Path | None:
    """Return the cache folder for these sources, made if need be; None if it is not writable."""
    stamp = hashlib.sha256(numba.__version__.encode())
    for path in sources:
        stamp.update(path.name.encode() + b"\0" + path.read_bytes())
    root = cache_root()
    folder = root / stamp.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _forget_old(root)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


@cache
def _sources_of(file: Path) -> tuple[Path, ...]:
    """Return all sources that machine code of this file may depend on."""
    kernels = Path(__file__).parent
    own = [] if file.parent == kernels else _package_files(file)
    return tuple(sorted(kernels.glob("*.py"))) + tuple(own)


def _package_files(file: Path) -> list[Path]:
    """Return the files of the package that a file is in; a file in no package stands alone."""
    in_package = (file.parent / "__init__.py").exists()
    return sorted(file.parent.glob("*.py")) if in_package else [file]


def _forget_old(root: Path) -> None:
    """Remove all but the newest cache folders."""
    folders = [path for path in root.iterdir() if path.is_dir() and len(path.name) == 16]
    folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for old in folders[2 * KEPT_STAMPS :]:
        shutil.rmtree(old, ignore_errors=True)
