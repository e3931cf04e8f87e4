"""Tells a deal in words: who bids, robs and leads, why a card could be kept back, who wins."""

from forty5sim.narration.bidding import auction_table, contract_sign
from forty5sim.narration.narrator import Narrator

__all__ = ["Narrator", "auction_table", "contract_sign"]
