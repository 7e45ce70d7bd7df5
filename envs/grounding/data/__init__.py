"""Data of the grounding game; README.md says where each file comes from."""
