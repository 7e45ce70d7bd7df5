"""The environments. Each is a package with `world`, `text`, `encode` and `draw`."""
