# How long each command takes as a process of its own, on whichever preset it takes longest.
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

MILLISECONDS = 50
# A picture by OpenGL, for the most part its start; all models, each beside its parent; and a graph for each choice that
# a model of many kinds of layers could have made otherwise.
LONGER = {"render": 300, "poster": 120, "sensitivity": 60}
CLOSER = 3  # so many of the presets that took longest are timed again,
RUNS = 9  # so often, of which the median counts

# What each command is told behind its name; ARCH: each preset in turn.
COMMANDS = {
    "presets": ["--json"],
    "ask": ["how large is the cache", "ARCH"],
    "count": ["ARCH", "--json"],
    "tensors": ["ARCH", "--json"],
    "tree": ["ARCH"],
    "shapes": ["ARCH", "--tokens", "100", "--json"],
    "equations": ["ARCH"],
    "compare": ["ARCH", "llama-3-8b", "--json"],
    "diff": ["ARCH", "llama-3-8b", "--json"],
    "memory": ["ARCH", "--tokens", "100", "--json"],
    "compute": ["ARCH", "--tokens", "100", "--device", "h100", "--json"],
    "devices": ["--json"],
    "measured": ["--json"],
    "sweep": ["ARCH", "--vary", "batch=1..64:x2", "--device", "h100", "--json"],
    "sensitivity": ["ARCH", "--json"],
    "solve": ["ARCH", "--size", "13B", "--json"],
    "claims": ["--json"],
    "export": ["ARCH", "-o", "TABLE"],
    "report": ["ARCH", "--tokens", "100", "-o", "PAGE"],
    "worksheet": ["list"],
    "render": ["ARCH", "-o", "PICTURE"],
    "link": ["ARCH"],
    "lessons": ["index", "FOLDER"],
    "poster": ["-o", "SHEET"],
    "completion": ["bash"],
    "manual": [],
}
# These take as long as there are numbers to read, to make or to wait for.
OTHERS = {"match", "run", "tokenize", "diagnose", "train", "serve"}

# Where commands write: files of these names in a folder of their own.
FILES = {"PICTURE": "picture.png", "TABLE": "tensors.csv", "PAGE": "page.html", "SHEET": "sheet.svg", "FOLDER": "lessons"}


def milliseconds(words):
    begin = time.perf_counter()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - begin
    # What a model cannot be asked is said, with what to do: the size of one that has no layers, say.
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return 1000 * seconds


def slowest(program):
    """For each command the preset that it takes longest on, with that time in milliseconds: (command, preset, time)."""
    listed = subprocess.run([program, "help"], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^  (\w+) ", listed.partition("Subcommands:")[2], re.MULTILINE))
    if names != COMMANDS.keys() | OTHERS:
        raise RuntimeError(f"not measured, or not there: {names ^ (COMMANDS.keys() | OTHERS)}")
    listed = subprocess.run([program, "presets", "--json"], capture_output=True, text=True, check=True).stdout
    presets = [preset["id"] for preset in json.loads(listed)]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / FILES["FOLDER"]).mkdir()
        for command, arguments in COMMANDS.items():
            def words(preset):
                placed = {name: f"{folder}/{file}" for name, file in FILES.items()} | {"ARCH": preset}
                return [program, command, *(placed.get(word, word) for word in arguments)]
            once = {preset: milliseconds(words(preset)) for preset in (presets if "ARCH" in arguments else [""])}
            longest = sorted(once, key=once.get)[-CLOSER:]
            again = {preset: statistics.median(milliseconds(words(preset)) for _ in range(RUNS)) for preset in longest}
            preset = max(again, key=again.get)
            yield command, preset, again[preset]


if __name__ == "__main__":
    for command, preset, took in slowest(sys.argv[1]):
        print(f"{command:12} {preset:40} {took:8.1f} ms", flush=True)
