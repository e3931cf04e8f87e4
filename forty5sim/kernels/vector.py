"""Bare vectors: what arrays become inside the compiled core.

A numpy array in compiled code is a counted reference of seven words; handing it from kernel to
kernel costs more than their work. So an entry turns each array into a *bare vector*, a pointer,
by ``bare`` or ``readonly``: kernels index it as they would the array, without bounds. A kernel
that assigns to a read-only vector does not compile. With the JIT off a bare vector is the array.
"""

from __future__ import annotations

import operator
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_builtin, register_model, type_callable
from numpy.typing import NDArray

from forty5sim.kernels.jit import compiled_as

Vector: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[np.int32]  # rows of counts, half the memory
Bytes: TypeAlias = NDArray[np.int8]
Reals: TypeAlias = NDArray[np.float64]
Agents: TypeAlias = Any  # a numba typed list of first-class functions, see forty5sim.agent


class VectorType(types.Type):
    """The compiled type of a bare vector."""

    def __init__(self, element: Any, *, writable: bool) -> None:
        self.element = element
        self.writable = writable
        super().__init__(f"{'writable' if writable else 'readonly'} vector({element})")


WORDS = VectorType(types.int64, writable=True)
REALS = VectorType(types.float64, writable=True)
READONLY_WORDS = VectorType(types.int64, writable=False)
READONLY_REALS = VectorType(types.float64, writable=False)


def array_type(element: Any, dimensions: int, *, writable: bool = True) -> Any:
    """Return the compiled type of a numpy array that an entry takes, whole and in C order."""
    return types.Array(element, dimensions, "C", readonly=not writable)


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, vector: VectorType) -> None:
        element = manager.lookup(vector.element).get_value_type()
        super().__init__(manager, vector, ir.PointerType(element))


@type_callable(operator.getitem)
def _type_getitem(context: Any) -> Any:
    def typer(vector: Any, index: Any) -> Any:
        if isinstance(vector, VectorType) and isinstance(index, types.Integer):
            return vector.element
        return None

    return typer


@type_callable(operator.setitem)
def _type_setitem(context: Any) -> Any:
    def typer(vector: Any, index: Any, value: Any) -> Any:
        if isinstance(vector, VectorType) and vector.writable and isinstance(index, types.Integer):
            return types.void(vector, index, vector.element)
        return None

    return typer


@lower_builtin(operator.getitem, VectorType, types.Integer)
def _lower_getitem(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer, index = args
    place = context.cast(builder, index, signature.args[1], types.intp)
    return builder.load(cgutils.gep(builder, pointer, place))


@lower_builtin(operator.setitem, VectorType, types.Integer, types.Any)
def _lower_setitem(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer, index, value = args
    place = context.cast(builder, index, signature.args[1], types.intp)
    word = context.cast(builder, value, signature.args[2], signature.args[0].element)
    builder.store(word, cgutils.gep(builder, pointer, place))
    return context.get_dummy_value()


def _vector_of(array: Any, *, writable: bool) -> VectorType | None:
    """Return the vector type of an array or vector, None if it cannot become one."""
    if isinstance(array, VectorType) and (array.writable or not writable):
        return VectorType(array.element, writable=writable)
    if isinstance(array, types.Array) and array.layout == "C" and (array.mutable or not writable):
        return VectorType(array.dtype, writable=writable)
    return None


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array, start = args[:2]
    pointer = array
    if isinstance(signature.args[0], types.Array):
        pointer = context.make_array(signature.args[0])(context, builder, array).data
    return cgutils.gep(builder, pointer, start)


@intrinsic
def _bare(typingctx: Any, array: Any, start: Any) -> Any:
    vector = _vector_of(array, writable=True)
    return (vector(array, types.intp), _pointer) if vector else None


@compiled_as(_bare)
def bare(array: NDArray[Any], start: int) -> Any:
    """Return the part of an array (or bare vector) from ``start`` on, as a bare vector."""
    return array.reshape(-1)[start:]


@intrinsic
def _readonly(typingctx: Any, array: Any, start: Any, size: Any) -> Any:
    vector = _vector_of(array, writable=False)
    return (vector(array, types.intp, types.intp), _pointer) if vector else None


@compiled_as(_readonly)
def readonly(array: NDArray[Any], start: int, size: int) -> Any:
    """Return ``size`` elements from ``start`` on as a bare vector that cannot be written to."""
    view = array.reshape(-1)[start : start + size]
    view.flags.writeable = False
    return view


def _cast_pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer = cgutils.gep(builder, args[0], args[1])
    return builder.bitcast(pointer, context.get_value_type(signature.return_type))


@intrinsic
def _reals(typingctx: Any, words: Any, start: Any) -> Any:
    return (REALS(words, types.intp), _cast_pointer) if words == WORDS else None


@compiled_as(_reals)
def reals(words: NDArray[np.int64], start: int) -> Any:
    """Return the words from ``start`` on as float64 numbers in the same memory."""
    return words.reshape(-1)[start:].view(np.float64)


# --- what stays where it is: addresses as float64 parameters -----------------------------------

_ADDRESSED: dict[int, Reals] = {}


def address_of_reals(array: Reals) -> float:
    """Return the address of a float64 array, exact as a float64; the array is kept for good."""
    address = int(array.ctypes.data)
    assert array.dtype == np.float64
    assert array.flags.c_contiguous
    assert int(float(address)) == address
    _ADDRESSED[address] = array.reshape(-1)
    return float(address)


def _pointer_from(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    address = builder.fptosi(args[0], ir.IntType(64))
    return builder.inttoptr(address, context.get_value_type(signature.return_type))


@intrinsic
def _reals_at(typingctx: Any, address: Any) -> Any:
    return READONLY_REALS(types.float64), _pointer_from


@compiled_as(_reals_at)
def reals_at(address: float) -> Any:
    """Return the array that ``address_of_reals`` gave this address of, as a read-only vector."""
    return _ADDRESSED[int(address)]
