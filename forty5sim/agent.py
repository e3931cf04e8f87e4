"""x"""
from dataclasses import dataclass
from forty5sim.kernels.contract import address_of
@dataclass(frozen=True)
class CompiledAgent:
    name: str
    version: int
    choose: object
    params: tuple = ()
    def __post_init__(self): object.__setattr__(self,'address',address_of(self.choose))
