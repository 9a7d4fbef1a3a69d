#!/usr/bin/env python3
"""Changes the suite's own code in one place at a time and says which changes no test notices.

  ci/mutate.py [--only GLOB]... [--sample N] [--seed N] [--minutes N] [--quick]
               [--list] [--again] [--report]

  --only GLOB   files to change, as paths from the source folder (default: measures, oracles, judges,
                tallies and the roll-up of verdicts: FILES below)
  --sample N    at most N mutants, drawn with the seed, the same number of each file as far as it has
                them (default 200; 0: all)
  --seed N      of the sample (default 1). The same seed and sources give the same sample
  --minutes N   begin no further mutant after so long; what is left is done by the next call
  --quick       ask only the first tests named for a file, which are mostly its own: what they do not
                notice is still open, and asked of the others without this option
  --list        only name the sample
  --again       ask once more about the mutants that no test noticed, for instance after adding tests
  --report      only print what is known of all mutants that were ever tried

A mutant is one operator, constant, negation or statement changed (ci/mutation/operators.py). It is
made in a copy of the sources below build/mutate, built there, and the tests that ci/mutation/tests.txt
names for its file run until one fails, crashes or exceeds six times its usual time. What is found goes to
build/mutate/results.jsonl and is not asked again while the file is unchanged. Mutants that change
nothing, each with the reason, are in ci/mutation/equivalent.txt.

Exit status: 0 each mutant was noticed or is listed as equivalent; 1 some were not; 2 bad arguments;
3 the tests fail without any change, or could not be built.
"""
import argparse
import ctypes
import fnmatch
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "mutation"))
from operators import mutants_of  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
BOX = ROOT / "build" / "mutate"
COPY, RESULTS = BOX / "source", BOX / "results.jsonl"
BUILD = COPY / "build" / "release"  # as in the ordinary folders, so that compilers' caches are shared
COPIED = ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
          "contracts", "kernels", "oracles", "reports", "audit", "ci"]
FILES = ["oracles/sum/sum_bound.cc", "oracles/sum/selection.cc", "oracles/sum/compensated_dot.cc",
         "oracles/cast_measure.cc", "oracles/cast_exact.cc", "oracles/boundaries.cc",
         "reports/rollup.cc", "reports/diff_claims.cc", "contracts/measure.h", "audit/window/tally.cc",
         "audit/window/rules.cc", "audit/window/truth.cc", "audit/window/verdicts.cc",
         "audit/window/bounds.cc", "audit/judge/*.cc"]

# A changed program is compiled without warnings (what is changed need not be tidy) and in less time;
# everything else comes from the cache of the ordinary build, where there is one.
LAUNCHER = """#!/bin/sh
if [ -n "$ASSAY_MUTATED" ]; then exec "$@" -w -O1; fi
if command -v ccache >/dev/null; then exec ccache "$@"; fi
exec "$@"
"""


def fail(status, text):
    print(f"ci/mutate.py: {text}", file=sys.stderr)
    sys.exit(status)


def changeable(globs):
    tracked = subprocess.run(["git", "ls-files", "contracts", "oracles", "audit", "reports"], cwd=ROOT,
                             capture_output=True, text=True, check=True).stdout.split()
    paths = [p for p in tracked if p.endswith((".cc", ".h", ".inc")) and not p.endswith("_test.cc")]
    chosen = list(dict.fromkeys(p for glob in globs for p in paths if fnmatch.fnmatchcase(p, glob)))
    if not chosen:
        fail(2, f"no file matches {', '.join(globs)}")
    return chosen


def sample_of(paths, size, seed):
    """Mutants in the order of their files; of each file as many as of any other while it has them.
    Whether one is drawn does not depend on where in the file it stands."""
    drawn = []
    for path in paths:
        text = (ROOT / path).read_text()
        mutants = mutants_of(path, text)
        mutants.sort(key=lambda m: hash_of(f"{seed} {path} {m.key(text)[1]} {m.what}"))
        drawn.append(mutants)
    size = size or sum(map(len, drawn))
    quota = [0] * len(drawn)
    while size > 0 and any(q < len(m) for q, m in zip(quota, drawn)):
        for i, mutants in enumerate(drawn):
            if size > 0 and quota[i] < len(mutants):
                quota[i] += 1
                size -= 1
    return [m for q, mutants in zip(quota, drawn) for m in sorted(mutants[:q], key=lambda m: m.start)]


def stages_of(path):
    """The (program, tests' files) that are asked about a file, in order."""
    stages = []
    for line in (ROOT / "ci/mutation/tests.txt").read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith("#") or not fnmatch.fnmatchcase(path, words[0]):
            continue
        names = words[2:]
        if names == ["own"]:
            own = Path(path).with_suffix("").as_posix() + "_test.cc"
            if not (ROOT / own).exists():
                continue
            names = [Path(own).stem]
        stages.append((words[1], tuple(names)))
    return stages


def prepare():
    """The copy, equal to the sources, and its build folder."""
    BOX.mkdir(parents=True, exist_ok=True)
    wanted = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *COPIED],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = {p for p in wanted if (ROOT / p).is_file()}
    for old in [p for p in COPY.rglob("*") if p.is_file() and COPY / "build" not in p.parents]:
        if old.relative_to(COPY).as_posix() not in wanted:
            old.unlink()
    for path in wanted:
        text = (ROOT / path).read_bytes()
        target = COPY / path
        if not target.exists() or target.read_bytes() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
            shutil.copymode(ROOT / path, target)
    launcher = BOX / "launcher"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    if not (BUILD / "build.ninja").exists():
        command = ["cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release",
                   f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}"]
        if run(command, 600)[0] != 0:
            fail(3, f"the copy in {COPY} cannot be configured")


def limit_resources(seconds):
    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
        # Not the copy's files, but what a changed program might write without an end.
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    return limits


def run(command, seconds, **environment):
    """Exit status (None: out of time), seconds, output. Leaves no process behind."""
    begun = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, start_new_session=True, text=True,
                               errors="replace", cwd=BOX, preexec_fn=limit_resources(seconds),
                               env={**os.environ, **environment})
    try:
        output, _ = process.communicate(timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = None
    end_orphans()
    return status, time.monotonic() - begun, output


def end_orphans():
    """Processes whose parents died come to this one (it is their reaper): they are ended here."""
    while True:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        if not children:
            return
        for child in children:
            try:
                os.kill(int(child), signal.SIGKILL)
                os.waitpid(int(child), 0)
            except (ProcessLookupError, ChildProcessError):
                pass


def build(target, **environment):
    # Without git: which revision is built says nothing here, and a commit would build it again.
    return run(["ninja", "-C", BUILD, "-j1", target], 1800, GIT_DIR="/nonexistent", **environment)


def test_command(program, names):
    command = [BUILD / program, "--abort", "--filenames-as-tags"]
    return command + ([",".join(f"[#{name}]" for name in names)] if names else [])


def usual_seconds(stage, usual):
    """How long a stage takes with nothing changed; it must pass. Measured when it is first needed."""
    if stage not in usual:
        program, names = stage
        print(f"unchanged: {program} {' '.join(names)}", flush=True)
        status, _, output = build(program)
        if status != 0:
            fail(3, f"{program} cannot be built:\n{output[-3000:]}")
        status, seconds, output = run(test_command(program, names), 1800)
        if status != 0 or "No tests ran" in output:
            fail(3, f"{program} {' '.join(names)} fails with nothing changed:\n{output[-3000:]}")
        usual[stage] = seconds
    return usual[stage]


def tried(mutant, text, stages, usual):
    """What happened to a mutant: "noticed", "not built" or "survived", and where."""
    file = COPY / mutant.path
    try:
        for stage in stages:
            program, names = stage
            if stage not in usual and file.read_text() != text:
                file.write_text(text)
            limit = max(60, 6 * usual_seconds(stage, usual))
            if file.read_text() == text:
                file.write_text(mutant.applied_to(text))
            status, _, output = build(program, ASSAY_MUTATED="1")
            if status != 0:
                return "not built", next((l for l in output.splitlines() if "error" in l), "")
            status, _, output = run(test_command(program, names), limit)
            if status != 0:
                how = "out of time" if status is None else f"status {status}"
                return "noticed", f"{program} {' '.join(names)}: {how}"
        return "survived", ""
    finally:
        file.write_text(text)


def known_results():
    """Of each mutant, by file, text before and text after, the latest result."""
    known = {}
    if RESULTS.exists():
        for line in RESULTS.read_text().splitlines():
            row = json.loads(line)
            known[row["path"], row["file_hash"], row["start"], row["after"], row["what"]] = row
    return known


def row_key(mutant, text):
    return mutant.path, hash_of(text), mutant.start, mutant.key(text)[1], mutant.what


def hash_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def equivalents():
    """(path, changed line) of the mutants that change nothing, with the reasons."""
    found = {}
    entry = []
    for line in (ROOT / "ci/mutation/equivalent.txt").read_text().splitlines() + [""]:
        if line.startswith("#"):
            continue
        if line.strip():
            entry.append(line.strip())
        elif entry:
            if len(entry) < 3:
                fail(2, f"ci/mutation/equivalent.txt: '{entry[0]}': path, changed line and reason are due")
            found[entry[0], " ".join(entry[1].split())] = " ".join(entry[2:])
            entry = []
    return found


def report(sample, texts, known, excused):
    """Prints the figures and the survivors; the number of those that no reason is given for."""
    rows = [(m, known.get(row_key(m, texts[m.path]))) for m in sample]
    count = {"noticed": 0, "not built": 0, "survived": 0, "equivalent": 0, "not tried": 0}
    per_file, survivors = {}, []
    for mutant, row in rows:
        result = row["result"] if row else "not tried"
        if result == "survived" and (mutant.path, mutant.key(texts[mutant.path])[1]) in excused:
            result = "equivalent"
        if result == "survived":
            survivors.append(mutant)
        count[result] += 1
        per_file.setdefault(mutant.path, dict.fromkeys(count, 0))[result] += 1
    print(f"\n{'file':36}" + "".join(f"{name:>12}" for name in count))
    for path, counts in per_file.items():
        print(f"{path:36}" + "".join(f"{n:12}" for n in counts.values()))
    print(f"{'all':36}" + "".join(f"{n:12}" for n in count.values()))
    for mutant in survivors:
        before, after = mutant.key(texts[mutant.path])
        print(f"\n{mutant.path}:{mutant.line}: no test notices: {mutant.what}\n  - {before}\n  + {after}")
    return len(survivors)


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    for flag in ("--quick", "--list", "--again", "--report"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()

    paths = changeable(options.only or FILES)
    texts = {path: (ROOT / path).read_text() for path in paths}
    sample = sample_of(paths, options.sample, options.seed)
    if options.list:
        for mutant in sample:
            print(f"{mutant.path}:{mutant.line}: {mutant.what}")
        return 0
    excused = equivalents()
    known = known_results()
    if options.report:
        tried_ones = [m for path in paths for m in mutants_of(path, texts[path])
                      if row_key(m, texts[path]) in known]
        return 1 if report(tried_ones, texts, known, excused) else 0
    stages = {path: stages_of(path)[:1 if options.quick else None] for path in paths}

    def is_due(mutant):
        text = texts[mutant.path]
        row = known.get(row_key(mutant, text))
        if row is None:
            return True
        return (row["result"] == "survived" and (mutant.path, mutant.key(text)[1]) not in excused
                and (options.again or row["asked"] < len(stages[mutant.path])))

    due = list(filter(is_due, sample))
    if due:
        PR_SET_CHILD_SUBREAPER = 36
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        begun = time.monotonic()
        prepare()
        usual = {}
        for done, mutant in enumerate(due):
            if options.minutes and time.monotonic() - begun > options.minutes * 60:
                print(f"{len(due) - done} mutants are left for another call")
                break
            text = texts[mutant.path]
            result, where = tried(mutant, text, stages[mutant.path], usual)
            before, after = mutant.key(text)
            row = {"path": mutant.path, "file_hash": hash_of(text), "line": mutant.line,
                   "start": mutant.start, "what": mutant.what, "before": before, "after": after,
                   "result": result, "where": where, "asked": len(stages[mutant.path])}
            with RESULTS.open("a") as file:
                file.write(json.dumps(row) + "\n")
            known[row_key(mutant, text)] = row
            print(f"[{done + 1}/{len(due)}] {mutant.path}:{mutant.line}: {mutant.what}: {result}"
                  f"{' by ' + where if result == 'noticed' else ''}", flush=True)
    return 1 if report(sample, texts, known, excused) else 0


if __name__ == "__main__":
    sys.exit(main())
