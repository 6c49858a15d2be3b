"""Programs of several instructions, threads or devices: as text, and what they give."""
