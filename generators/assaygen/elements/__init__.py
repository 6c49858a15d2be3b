"""Functions of single elements: their cases, special values and sets of results."""
