"""Models fitted to what was measured."""
