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
workspace    int64 words of its seat, kept for one deal
===========  =====================================================================

An agent's function becomes a number, the address of its machine code, so that any mix of agents
plays through the same compiled loop. With the JIT off it is the function itself.
"""

from __future__ import annotations

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
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(CHOOSE.return_type, CHOOSE.args)
        function = builder.inttoptr(args[0], kind.as_pointer())
        status, answer = convention.call_function(
            builder, function, CHOOSE.return_type, CHOOSE.args, args[1:]
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return answer

    return CHOOSE.return_type(types.int64, *CHOOSE.args), code


@compiled_as(_ask)
def ask(
    agent: Any,
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
    return int(agent(public, hand, thrown, legal, tables, key, params, workspace))


def address_of(choose: Any) -> Any:
    """Return what ``ask`` takes for an agent's function, compiled for the contract.

    Raises:
        TypeError: if the function does not compile to an int; a float would lose its fraction.
    """
    if not is_compiled():
        return choose
    choose.compile(CHOOSE.args)
    compiled = choose.overloads[CHOOSE.args]
    answer = compiled.signature.return_type
    if types.unliteral(answer) != types.int64:
        raise TypeError(f"an agent must return an int64 action, this one returns {answer}")
    return compiled.library.get_pointer_to_function(compiled.fndesc.mangled_name)
