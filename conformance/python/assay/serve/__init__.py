"""Engines as workers of Assay's protocol (spec/protocol.md)."""
