"""Policies that follow a fixed rule."""
