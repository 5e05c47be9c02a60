# Runs one fuzz target for a bounded time and leaves its result as a JUnit file. What made it fail lies in CRASHES.
import argparse
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

LONGEST_INPUT = 16384
# No input of that length warrants more. The sanitizers and libFuzzer themselves take some hundred MiB.
LARGEST_ALLOCATION_MIB, MEMORY_MIB = 64, 1024
SECONDS_AN_INPUT = 10
# However long that takes, where there is time at all: anybody can send anybody a link.
LEAST_INPUTS, LEAST_SECONDS = {"link": 100_000}, 20


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("seeds", type=pathlib.Path, help="the folder that make_corpus.py wrote")
    parser.add_argument("result", type=pathlib.Path)
    arguments = parser.parse_args()
    seconds = int(os.environ.get("HEADCOUNT_FUZZ_SECONDS", 20))
    name = arguments.program.name.removeprefix("fuzz_")
    # What it finds is kept from one run to the next.
    found, crashes = arguments.seeds.parent / "found" / name, arguments.seeds.parent / "crashes"
    for folder in (found, crashes, arguments.result.parent):
        folder.mkdir(parents=True, exist_ok=True)

    def fuzz(end):
        """The exit status, the lines, and how many inputs there were."""
        done = subprocess.run([arguments.program, end, f"-max_len={LONGEST_INPUT}",
                               f"-malloc_limit_mb={LARGEST_ALLOCATION_MIB}", f"-rss_limit_mb={MEMORY_MIB}",
                               f"-timeout={SECONDS_AN_INPUT}", f"-dict={arguments.seeds / name}.dict",
                               "-use_value_profile=1", f"-artifact_prefix={crashes}/{name}-", "-print_final_stats=1", found,
                               arguments.seeds / name],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        lines = done.stdout.splitlines()
        count = [int(line.split()[1]) for line in lines if line.startswith("stat::number_of_executed_units:")]
        return done.returncode, lines, count[0] if count else 0
    begun = time.monotonic()
    status, lines, count = fuzz(f"-max_total_time={seconds}")
    least = LEAST_INPUTS.get(name, 0) if seconds >= LEAST_SECONDS else 0
    if status == 0 and count < least:
        status, lines, more = fuzz(f"-runs={least - count}")
        count += more
    print(f"{name}: {count:,} inputs in {time.monotonic() - begun:.0f} s")
    suite = ElementTree.Element("testsuite", name="fuzz")
    case = ElementTree.SubElement(suite, "testcase", classname="fuzz", name=name)
    if status != 0:
        print("\n".join(lines[-60:]))
        ElementTree.SubElement(case, "failure", message=f"see {crashes}/{name}-*").text = "\n".join(lines[-60:])
    ElementTree.ElementTree(suite).write(arguments.result)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
