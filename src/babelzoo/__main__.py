"""`python -m babelzoo` is the command line."""

from babelzoo.benchmarks.cli import main

if __name__ == "__main__":
    main()
