"""Bits of int64 masks: each function is plain Python with a compiled twin of one instruction.

Masks hold cards in bits 0..52 and other actions in bits 53..62, so they are never negative.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from forty5sim.kernels.jit import compiled_as, hot_kernel

_WORD = (1 << 64) - 1


@intrinsic
def _popcount(typingctx: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@compiled_as(_popcount)
def popcount(mask: int) -> int:
    """Return the number of bits set."""
    return int(mask).bit_count()


@intrinsic
def _lowest(typingctx: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, 0))

    return types.int64(types.int64), code


@compiled_as(_lowest)
def lowest(mask: int) -> int:
    """Return the position of the lowest bit set; the mask must not be empty."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


@intrinsic
def _highest(typingctx: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], context.get_constant(types.boolean, 0))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.int64), code


@compiled_as(_highest)
def highest(mask: int) -> int:
    """Return the position of the highest bit set; -1 for an empty mask."""
    return int(mask).bit_length() - 1


@intrinsic
def _wrapping_multiply(typingctx: Any, x: Any, y: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.mul(*args)

    return types.int64(types.int64, types.int64), code


@compiled_as(_wrapping_multiply)
def wrapping_multiply(x: int, y: int) -> int:
    """Return the product modulo 2^64 as a signed number."""
    product = int(x) * int(y) & _WORD
    return product - (product >> 63 << 64)


@intrinsic
def _select(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        condition, yes, no = args
        return builder.select(builder.trunc(condition, ir.IntType(1)), yes, no)

    return types.int64(types.boolean, types.int64, types.int64), code


@compiled_as(_select)
def select(condition: bool, yes: int, no: int) -> int:
    """Return one of two numbers; without a branch, which the processor would mispredict."""
    return yes if condition else no


@hot_kernel
def nth(mask: int, n: int) -> int:
    """Return the position of the n-th bit set, counting from 0; n < popcount(mask).

    The first four steps run without a branch: a random n would be predicted wrongly every time.
    """
    for step in range(4):
        mask ^= mask & -mask & ((step - n) >> 63)
    for _ in range(4, n):
        mask &= mask - 1
    return lowest(mask)
