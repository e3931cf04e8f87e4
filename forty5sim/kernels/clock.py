"""A clock inside kernels, for searches that are given seconds."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from forty5sim.kernels.jit import compiled_as

_MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)


@intrinsic
def _now(typingctx: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        spot = cgutils.alloca_once(builder, ir.LiteralStructType([word, word]))
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), spot.type])
        read = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(read, [ir.Constant(ir.IntType(32), _MONOTONIC), spot])
        seconds = builder.load(cgutils.gep_inbounds(builder, spot, 0, 0))
        rest = builder.load(cgutils.gep_inbounds(builder, spot, 0, 1))
        return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

    return types.int64(), code


@compiled_as(_now)
def now() -> int:
    """Return nanoseconds of a clock that only runs forward."""
    return time.monotonic_ns()
