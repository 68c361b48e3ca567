"""Benchmarks: what memory costs and what it brings, measured on the real graph with real models."""
