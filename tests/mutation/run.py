#!/usr/bin/env python3
"""Breaks the compiler and the library at the places of mutations.toml, one at a time, and runs the
tests that should notice.

    tests/mutation/run.py            all of them: takes hours, and goes on where it was stopped
    tests/mutation/run.py --check    only whether each of them still applies
    tests/mutation/run.py --only 3,7-9 --again
    tests/mutation/run.py --from 50
    tests/mutation/run.py --quick    only the tests that most likely notice: leaves some undecided

It works on a copy of the tree, in target/mutation, with a target folder of its own. Exits with 1
if fewer than 95 of 100 are noticed, or if one does not apply or compile.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("mutations.toml")
PART = 0.95
UNDECIDED = "undecided"

TESTS = {
    name: f"-p {arguments}"
    for name, arguments in {
        "compiler": "retrograde-compiler --lib --test invert --test optimise --test random_programs",
        "checks": "retrograde-tests --test checks",
        "language": "retrograde-tests --test forms --test functions --test values --test janus",
        "undoing": "retrograde-tests --test undoing",
        "gradients": "retrograde-tests --test gradients",
        "gradient_errors": "retrograde-tests --test gradient_errors",
        "gradient_values": "retrograde-tests --test gradient_values",
        "library": "retrograde --lib",
        "gradient_forms": "retrograde-tests --test gradient_forms",
        "gradient_library": "retrograde-tests --test gradient_library",
        "diagnostics": "retrograde-tests --test diagnostics",
        "random": "retrograde-tests --test random",
        "random_gradients": "retrograde-tests --test random_gradients",
    }.items()
}
# Seconds that the tests may run: a program that does not end is noticed, too.
LIMIT = 900


def main():
    arguments = parse()
    mutations = tomllib.loads(LIST.read_text())["mutation"]
    wrong = [line for number, m in enumerate(mutations, 1) if (line := misfit(number, m))]
    print("\n".join(wrong) or f"all {len(mutations)} mutations apply")
    if wrong or arguments.check:
        return 1 if wrong else 0
    scratch = arguments.scratch.resolve()
    tree, results = scratch / "tree", scratch / "results.tsv"
    copy_tree(tree)
    known = {} if arguments.again else read(results)
    chosen = [n for n in numbers(arguments, len(mutations)) if str(n) not in known]
    if chosen and not arguments.no_baseline:
        baseline(tree, scratch)
    for done, number in enumerate(chosen):
        mutation = mutations[number - 1]
        start = time.time()
        answer = try_one(mutation, tree, scratch, arguments.quick)
        took = time.time() - start
        if answer != UNDECIDED:
            with results.open("a") as file:
                file.write(f"{number}\t{answer}\t{took:.0f}\n")
        print(f"[{done + 1}/{len(chosen)}] {number:3} {took:4.0f} s  {answer:28} {mutation['breaks']}")
        sys.stdout.flush()
    return report(mutations, read(results))


def parse():
    parser = argparse.ArgumentParser(description="Breaks the compiler, and runs the tests")
    parser.add_argument("--check", action="store_true", help="only look whether all apply")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first one")
    parser.add_argument("--only", help="some of them: 3,7-9")
    parser.add_argument("--quick", action="store_true", help="run the tests named first, no others")
    parser.add_argument("--again", action="store_true", help="also those that were tried before")
    parser.add_argument("--no-baseline", action="store_true", help="trust that the tests pass")
    parser.add_argument("--scratch", type=Path, default=ROOT / "target/mutation")
    return parser.parse_args()


def numbers(arguments, count):
    if not arguments.only:
        return range(arguments.first, count + 1)
    chosen = []
    for part in arguments.only.split(","):
        first, _, last = part.partition("-")
        chosen += range(int(first), int(last or first) + 1)
    return chosen


def misfit(number, mutation):
    """What is wrong with a mutation, if something is."""
    if unknown := mutation.keys() ^ {"file", "before", "after", "breaks", "first"}:
        return f"mutation {number}: {unknown}"
    if mutation["first"] not in TESTS:
        return f"mutation {number}: there are no tests called {mutation['first']}"
    file = ROOT / "crates" / mutation["file"]
    count = file.read_text().count(mutation["before"])
    if count != 1:
        return f"mutation {number} ({mutation['breaks']}): stands {count} times in {mutation['file']}"
    return None


def copy_tree(tree):
    """Copies what git knows. What is as it was keeps its time, so that it is not built again."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    files = {name for name in names.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in files:
        source, target = ROOT / name, tree / name
        if not target.exists() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for path in list(tree.rglob("*")):
        if path.is_file() and str(path.relative_to(tree)) not in files:
            path.unlink()


def cargo(words, tree, scratch, limit=None):
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(scratch / "target"),
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_INCREMENTAL": "1",
    }
    with (scratch / "log").open("w") as log:
        command = ["cargo", *words.split()]
        process = subprocess.Popen(
            command, cwd=tree, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return False


def run_tests(name, tree, scratch):
    # Building takes as long as it takes.
    if not cargo(f"test {TESTS[name]} --no-run", tree, scratch):
        return False
    return cargo(f"test {TESTS[name]}", tree, scratch, LIMIT)


def baseline(tree, scratch):
    for name in TESTS:
        start = time.time()
        if not run_tests(name, tree, scratch):
            sys.exit(f"{name} fails without a mutation: see {scratch / 'log'}")
        print(f"{name} passes, {time.time() - start:.0f} s")
        sys.stdout.flush()


def try_one(mutation, tree, scratch, quick):
    file = tree / "crates" / mutation["file"]
    text = file.read_text()
    package = mutation["file"].partition("/")[0]
    try:
        file.write_text(text.replace(mutation["before"], mutation["after"]))
        # What fails to compile itself shows nothing.
        if not cargo(f"build -p {package} --lib", tree, scratch):
            return "does not compile"
        first = mutation["first"]
        others = [] if quick else [name for name in TESTS if name != first]
        for name in [first, *others]:
            if not run_tests(name, tree, scratch):
                return f"noticed by {name}"
        return UNDECIDED if quick else "not noticed"
    finally:
        file.write_text(text)


def read(results):
    """The last answer to each mutation."""
    if not results.exists():
        return {}
    lines = [line.split("\t") for line in results.read_text().splitlines()]
    return {line[0]: line[1] for line in lines}


def report(mutations, known):
    answers = [known.get(str(number)) for number in range(1, len(mutations) + 1)]
    noticed = sum(answer is not None and answer.startswith("noticed") for answer in answers)
    tried = sum(answer is not None for answer in answers)
    print()
    for name in TESTS:
        count = sum(answer == f"noticed by {name}" for answer in answers)
        print(f"{name:18} {count:4}")
    for number, (mutation, answer) in enumerate(zip(mutations, answers), 1):
        if answer in ("not noticed", "does not compile"):
            print(f"{answer}: {number} {mutation['file']}: {mutation['breaks']}")
    print(f"{noticed} of {tried} were noticed, of {len(mutations)} in all")
    compiles = "does not compile" not in answers
    return 0 if tried and compiles and noticed >= PART * tried else 1


if __name__ == "__main__":
    sys.exit(main())
