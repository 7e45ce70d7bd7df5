"""Running, recording, measuring and comparing policies."""
