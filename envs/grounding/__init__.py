"""The grounding game: parts of an environment that is not there yet.

Words, private lexicons and the measures of consensus of NSLD (2026) work; world, text, numbers and
pictures are still to come.
"""
