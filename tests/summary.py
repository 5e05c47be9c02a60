# Adds up what the tests of each preset left in build/<preset>/results: the last line is "N passed, N failed, N skipped".
import argparse
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]


def cases(file):
    """(name, "passed" | "failed" | "skipped") of every case in a JUnit file, GoogleTest's or ctest's."""
    for case in ElementTree.parse(file).iter("testcase"):
        name = f'{case.get("classname", "")}.{case.get("name", "")}'
        if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
            yield name, "failed"
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            yield name, "skipped"
        else:
            yield name, "passed"


def results(preset):
    """The cases of all test programs of a preset. A program that ended without its file, or wrongly, is one failed case."""
    folder = ROOT / "build" / preset / "results"
    if not (folder / "ctest.xml").exists():
        return
    for program in ElementTree.parse(folder / "ctest.xml").iter("testcase"):
        name = program.get("name")
        ended_well = program.get("status") == "run"
        try:
            found = list(cases(folder / f"{name}.xml"))
        except (OSError, ElementTree.ParseError):
            found = [(f"{name} (no results: it crashed or was not built)", "failed")]
        if not ended_well and all(outcome != "failed" for _, outcome in found):
            found.append((f"{name} (all its cases passed, yet it ended with an error)", "failed"))
        yield from found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("presets", nargs="*")
    parser.add_argument("--broken", action="append", default=[])
    arguments = parser.parse_args()
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for preset in arguments.presets:
        here = {"passed": 0, "failed": 0, "skipped": 0}
        for name, outcome in results(preset):
            here[outcome] += 1
            if outcome != "passed":
                print(f"{preset}: {outcome}: {name}")
        print(f"{preset}: " + ", ".join(f"{count} {outcome}" for outcome, count in here.items()))
        for outcome, count in here.items():
            total[outcome] += count
    for name in arguments.broken:
        print(f"failed: {name}")
        total["failed"] += 1
    print(f'{total["passed"]} passed, {total["failed"]} failed, {total["skipped"]} skipped')
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
