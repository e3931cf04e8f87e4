"""The contract between the engine and a compiled agent: one signature, one way to ask.

``choose(public, hand, thrown, legal, tables, key, params, workspace) -> action``

===========  =====================================================================
public       the public part of the state, read-only (``layout``); the seat to act
             is ``public[SEAT]``
hand         mask of the seat's own cards
thrown       mask of the cards it threw, robbing or in the exchange
legal        mask of its legal actions; at least two, or it would not be asked
tables       the rule tables, read-only (``layout``)
key          this decision's key for ``rng.draw``: draws are numbered from 0
params       its float64 parameters, read-only
workspace    int64 words of its seat: its notes, 0 when a deal (or game) begins, and beyond
             them words that hold whatever was left there
===========  =====================================================================

An agent's function becomes a number, the address of its machine code, so that any mix of agents
plays through the same compiled loop. With the JIT off it is the function's place in a list.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from forty5sim.kernels.jit import compiled_as, is_compiled
from forty5sim.kernels.vector import READONLY_REALS, READONLY_WORDS, WORDS

CHOOSE = types.int64(
    READONLY_WORDS,
    types.int64,
    types.int64,
    types.int64,
    READONLY_WORDS,
    types.int64,
    READONLY_REALS,
    WORDS,
)


SERVICE = types.int64(WORDS, READONLY_WORDS, READONLY_REALS, WORDS, types.int64, types.int64)
"""The signature of the parts that searches share (``services``): a state, the rule tables, the
search's parameters, working memory, and two numbers."""

_FUNCTIONS: list[Callable[..., int]] = []  # in place of machine code where the JIT is off


def _call(contract: Any) -> Any:
    """Return code that calls the function at an address, which has this signature."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(contract.return_type, contract.args)
        function = builder.inttoptr(args[0], kind.as_pointer())
        status, answer = convention.call_function(
            builder, function, contract.return_type, contract.args, args[1:]
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return answer

    return contract.return_type(types.int64, *contract.args), code


@intrinsic
def _ask(
    typingctx: Any,
    agent: Any,
    public: Any,
    hand: Any,
    thrown: Any,
    legal: Any,
    tables: Any,
    key: Any,
    params: Any,
    workspace: Any,
) -> Any:
    return _call(CHOOSE)


@compiled_as(_ask)
def ask(
    agent: int,
    public: Any,
    hand: int,
    thrown: int,
    legal: int,
    tables: Any,
    key: int,
    params: Any,
    workspace: Any,
) -> int:
    """Return an agent's answer."""
    choose = _FUNCTIONS[agent]
    return int(choose(public, hand, thrown, legal, tables, key, params, workspace))


@intrinsic
def _serve(
    typingctx: Any,
    service: Any,
    state: Any,
    tables: Any,
    params: Any,
    words: Any,
    first: Any,
    second: Any,
) -> Any:
    return _call(SERVICE)


@compiled_as(_serve)
def serve(
    service: int, state: Any, tables: Any, params: Any, words: Any, first: int, second: int
) -> int:
    """Return what a service answers."""
    return int(_FUNCTIONS[service](state, tables, params, words, first, second))


def address_of(function: Any, contract: Any = CHOOSE) -> int:
    """Return the number by which ``ask`` or ``serve`` calls a function, compiled for its contract.

    Raises:
        TypeError: if the function does not compile to an int; a float would lose its fraction.
    """
    if not is_compiled():
        if function not in _FUNCTIONS:
            _FUNCTIONS.append(function)
        return _FUNCTIONS.index(function)
    return _machine_code(function, contract)


@cache
def _machine_code(function: Any, contract: Any) -> int:
    """Return the address of a function's machine code; asking numba for it takes a millisecond."""
    function.compile(contract.args)
    compiled = function.overloads[contract.args]
    answer = compiled.signature.return_type
    if types.unliteral(answer) != types.int64:
        raise TypeError(f"an agent must return an int64 action, this one returns {answer}")
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.mangled_name))
