"""How numba compiles a kernel that only other kernels call: to be part of their machine code.

Left to itself numba optimises such a function, with all that it calls, and makes machine code of
it that nobody runs; whoever calls it does both again with a copy. With a tree of calls as deep as
the engine's that was more than half of a first run's time. Here a kernel is only lowered; the
entry that it ends up in is optimised, once and as a whole.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import Compiler, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering

_NEVER_CALLED = 0
"""The address of a kernel's machine code: there is none."""


class KernelLibrary(CPUCodeLibrary):
    """The code of one kernel and of what it calls, neither optimised nor made runnable."""

    def _optimize_final_module(self) -> None:
        """Leave that to the entry."""

    def _finalize_final_module(self) -> None:
        """Be ready to be linked into a caller, no more."""
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """Lowers a kernel into a ``KernelLibrary``."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower as numba does, but without machine code, and let other kernels call the result."""
        name = state.func_id.func_qualname
        state.library = KernelLibrary(state.targetctx.codegen(), name)
        state.flags.no_compile = True
        super().run_pass(state)
        state.library.finalize()
        lowered = state.cr
        stand_in = _dynfunc.make_function(
            lowered.fndesc.lookup_module(),
            name,
            "part of the machine code of its callers",
            _NEVER_CALLED,
            lowered.env,
            (state.library,),
        )
        state.targetctx.insert_user_function(stand_in, lowered.fndesc, [state.library])
        state.cr = _LowerResult(
            lowered.fndesc, lowered.call_helper, cfunc=stand_in, env=lowered.env
        )
        return True


class KernelCompiler(Compiler):
    """numba's compiler of a kernel that only other kernels call."""

    def define_pipelines(self) -> list[PassManager]:
        """Return numba's own pipeline with the lowering exchanged."""
        (pipeline,) = super().define_pipelines()
        place = [lowering for lowering, _ in pipeline.passes].index(NativeLowering)
        pipeline.passes[place] = (KernelLowering, "kernel lowering")
        pipeline.finalize()
        return [pipeline]
