"""Upkeep: what keeps a home's memories few, true and in order, step by step. Nothing said is ever lost by it."""
