"""Policies that learn while they play."""
