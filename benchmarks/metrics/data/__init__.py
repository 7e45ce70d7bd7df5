"""Counts and words of English, for `text`; `README.md` says where they come from."""
