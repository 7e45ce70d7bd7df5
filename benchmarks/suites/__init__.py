"""The suites that come with BabelZoo, one TOML file each."""
