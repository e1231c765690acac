"""GradBench's JAX tool, waiting for each result inside the timed region.

As it is shipped it times the dispatch alone. Argument: the GradBench checkout.
"""

import pathlib
import runpy
import sys

import jax

python = pathlib.Path(sys.argv.pop(1)) / "python" / "gradbench"
folder = python / "gradbench" / "tools" / "jax"
sys.path[:0] = [str(folder), str(python)]

from gradbench import wrap  # noqa: E402

shipped = wrap.multiple_runs


def multiple_runs(**options):
    decorate = shipped(**options)
    return lambda function: decorate(lambda x: jax.block_until_ready(function(x)))


wrap.multiple_runs = multiple_runs
runpy.run_path(str(folder / "run.py"), run_name="__main__")
