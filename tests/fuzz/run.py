# Runs one fuzz target for a bounded time and leaves its result as a JUnit file. What made it fail lies in CRASHES.
import argparse
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

LONGEST_INPUT = 16384
# No input of that length warrants more. The sanitizers and libFuzzer themselves take some hundred MiB.
LARGEST_ALLOCATION_MIB, MEMORY_MIB = 64, 1024
SECONDS_AN_INPUT = 10


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
    done = subprocess.run([arguments.program, f"-max_total_time={seconds}", f"-max_len={LONGEST_INPUT}",
                           f"-malloc_limit_mb={LARGEST_ALLOCATION_MIB}", f"-rss_limit_mb={MEMORY_MIB}",
                           f"-timeout={SECONDS_AN_INPUT}", f"-dict={arguments.seeds / name}.dict", "-use_value_profile=1",
                           f"-artifact_prefix={crashes}/{name}-", "-print_final_stats=1", found, arguments.seeds / name],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = done.stdout.splitlines()
    figures = dict(line.split(": ", 1) for line in lines if line.startswith("stat::") and ": " in line)
    print(f"{name}: {figures.get('stat::number_of_executed_units', '?').strip()} inputs in {seconds} s")
    suite = ElementTree.Element("testsuite", name="fuzz")
    case = ElementTree.SubElement(suite, "testcase", classname="fuzz", name=name)
    if done.returncode != 0:
        print("\n".join(lines[-60:]))
        ElementTree.SubElement(case, "failure", message=f"see {crashes}/{name}-*").text = "\n".join(lines[-60:])
    ElementTree.ElementTree(suite).write(arguments.result)
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
