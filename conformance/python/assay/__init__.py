"""Assay for Python."""
