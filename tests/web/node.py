"""What needs no browser: the engine's unit tests and the command line in node, beside the desktop's, and how fast they are."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
NATIVE = pathlib.Path(os.environ.get("HEADCOUNT", ROOT / "build/release/headcount"))
ENVIRONMENT = {**os.environ, "HEADCOUNT_ASSETS": str(ROOT / "assets")}
COMMANDS = {"count": {}, "tensors": {}, "shapes": {"tokens": 100}, "memory": {"tokens": 100}, "compute": {"tokens": 100}}
FIXED = b"always reads"  # an image has as many rows as it has, whatever is asked for


def both(name):
    """The commands that run a program on the desktop and in node."""
    return {"natively": [NATIVE.parent / name],
            "in node": ["node", ROOT / f"build/web/{'headcount_node' if name == 'headcount' else name}.js"]}


async def passes_the_unit_tests(_):
    """Those of the engine, each of its programs built for node."""
    results = ROOT / "build/web/results"
    results.mkdir(exist_ok=True)
    for file in results.iterdir():
        file.unlink()
    ran = subprocess.run(["ctest", "--output-on-failure", "--no-tests=error", "-j", str(os.cpu_count())],
                         cwd=ROOT / "build/web", capture_output=True, text=True)
    suites = [xml.etree.ElementTree.parse(file).getroot() for file in results.glob("*.xml")]
    said = {word: sum(int(suite.get(word, 0)) for suite in suites) for word in ("tests", "failures")}
    skipped = sum(case.get("result") == "skipped" for suite in suites for case in suite.iter("testcase"))
    print(f"    {said['tests']} unit tests in {len(suites)} programs, {said['failures']} failed, {skipped} skipped")
    assert ran.returncode == 0, "\n".join(ran.stdout.splitlines()[-60:])


async def counts_as_on_the_desktop(_):
    """Of every preset what the commands print as JSON, byte for byte; of some what they print as text."""
    listed = json.loads(subprocess.run([NATIVE, "presets", "--json"], capture_output=True, check=True).stdout)
    presets = [preset["id"] for preset in listed]
    assert len(presets) > 100, presets
    parts = os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(parts) as pool:
        answers = sum(pool.map(answers_alike, [presets[part::parts] for part in range(parts)]))
        texts = [[command, preset, *[word for key, value in options.items() for word in (f"--{key}", str(value))]]
                 for preset in presets[::25] for command, options in COMMANDS.items()]
        wrong = [each for each in pool.map(differs, texts) if each]
    assert not wrong, (len(wrong), wrong[0])
    print(f"    {answers} answers as JSON for {len(presets)} presets, {len(texts)} as text")


def answers_alike(presets):
    """How many answers there are about these, all of them asked of one process on each side."""
    asked = [json.dumps({"jsonrpc": "2.0", "id": f"{command} {preset}", "method": "tools/call",
                         "params": {"name": command, "arguments": {"arch": preset, **options}}})
             for preset in presets for command, options in COMMANDS.items()]
    with tempfile.TemporaryFile() as questions, tempfile.TemporaryFile() as native, tempfile.TemporaryFile() as node:
        questions.write("\n".join(asked).encode())
        for command, answers in zip(both("headcount").values(), (native, node)):
            questions.seek(0)
            subprocess.run([*command, "serve", "--stdio"], stdin=questions, stdout=answers, env=ENVIRONMENT, check=True)
            answers.seek(0)
        for question, one, other in zip(asked, native, node, strict=True):  # lines of up to megabytes
            assert (b'"isError":false' in one or FIXED in one) and one == other, (question, one[-300:], other[-300:])
    return len(asked)


def differs(arguments):
    ran = [subprocess.run([*command, *arguments], capture_output=True, env=ENVIRONMENT)
           for command in both("headcount").values()]
    native, node = ran
    counted = native.returncode == 0 or FIXED in native.stderr
    same = counted and node.stdout == native.stdout and node.returncode == native.returncode
    return None if same else (arguments, node.returncode, node.stdout[-300:], node.stderr[-300:])


async def counts_as_fast_as_it_should(_):
    """The engine should take at most twice as long as on the desktop; four times fails. Of three rounds, each on both in turn,
    the best counts: whoever else runs only makes one slower."""
    slowest = 4
    counted = {}
    for _ in range(3):
        for where, command in both("bench").items():
            medians = [each["real_time"] for each in json.loads(
                output([*command, "--benchmark_format=json", "--benchmark_filter=llama_405b"]))["benchmarks"]
                if each.get("aggregate_name") == "median"]
            counted[where] = min(counted.get(where, medians[0]), *medians)
    share = compared("us to count Llama 3.1 405B", counted)
    assert share < slowest, share


def compared(name, figures):
    """Prints them, natively first, and returns what share of the first the other is."""
    natively, there = figures.values()
    print(f"    {name}: {', '.join(f'{figure:,.0f} {where}' for where, figure in figures.items())}: {there / natively:.2f} times")
    return there / natively


def output(command):
    return subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout
