# Remakes the pictures of README.md and docs, assets/pictures/*: `./test pictures readme`. The program draws them all.
import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/e2e"))
from display import Display  # noqa: E402
from harness import SIZE, Program  # noqa: E402
from png import read_png  # noqa: E402

FOLDER = ROOT / "assets/pictures"
TOP_BAR = 48  # Pixels: what is cut off above a detail.
DIAGRAM = (301, TOP_BAR, 1240, 750)
SETTLE_SECONDS = 0.3

# Name: what is kept of the picture (left, top, right, bottom), and what `headcount render` is given.
RENDERED = {
    "explore": ((0, 0, 1600, 1000), ["llama-2-7b"]),
    "edit": ((0, 0, 1600, 750),
             ["llama-2-7b", "--set", "vocab=128256", "--set", "kv_heads=8", "--set", "ffn_dim=14336"]),
    "formula": ((301, TOP_BAR, 1600, 1000), ["llama-2-7b", "--select", "layer.feed_forward.up.weight"]),
    "attention": (DIAGRAM, ["llama-2-7b", "--at", "layer.attention"]),
    "head": (DIAGRAM, ["llama-2-7b", "--at", "layer.attention.head:3"]),
    "cells": (DIAGRAM, ["llama-2-7b", "--at", "layer.attention.query.weight[5,17]"]),
    "tilt": (DIAGRAM, ["llama-2-7b", "--tilt"]),
    "tour": ((0, 0, 1600, 1000), ["llama-2-7b", "--theme", "light", "--tour", "1-what-is-in-a-transformer", "--step", "6",
                                  "--present"]),
    "worksheet": ((0, 0, 1600, 1000), ["llama-7b", "--view", "worksheet", "--sheet", "1-one-head", "--theme", "light",
                                       "--answers", str(ROOT / "tests/e2e/answers.json")]),
    "run": ((0, 0, 1600, 1000), ["llama-2-7b", "--view", "run"]),
    "train": ((0, 0, 1600, 1000), ["llama-2-7b", "--view", "train"]),
    "costs": ((0, 0, 1600, 1000), ["llama-2-7b", "--tokens", "2048", "--view", "costs"]),
    "claims": ((0, 0, 1600, 1000), ["llama-2-7b", "--view", "claims", "--claim", "205-b", "--theme", "light"]),
    "light": ((0, 0, 1600, 1000), ["llama-3.2-1b", "--theme", "light"]),
}
# The same of the diagram alone.
VECTORS = {
    "head": ["gpt2", "--at", "layer.attention.head:3", "--tokens", "64", "--theme", "light", "--size", "900x600"],
}
IMPOSSIBLE_BOX = (0, TOP_BAR, 1240, 750)


def unfiltered(rows, step):
    """The rows of a PNG with each row's filter undone (PNG specification, section 9); `step` is the bytes of a pixel."""
    before, plain = bytes(len(rows[0]) - 1), []
    for row in rows:
        kind, now = row[0], bytearray(row[1:])
        for i in range(len(now) if kind else 0):
            left, up = now[i - step] if i >= step else 0, before[i]
            if kind == 4:
                corner = before[i - step] if i >= step else 0
                guess = left + up - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                now[i] = (now[i] + nearest[2]) & 255
            else:
                now[i] = (now[i] + (0, left, up, (left + up) >> 1)[kind]) & 255
        plain.append(bytes(now))
        before = now
    return plain


def rendered(arguments):
    """Rows of red, green, blue from `headcount render`."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "picture.png"
        command = [os.environ["HEADCOUNT"], "render", *arguments, "--size", f"{SIZE[0]}x{SIZE[1]}", "-o", str(file)]
        subprocess.run(command, check=True)
        width, _, rows = read_png(file)
    step = (len(rows[0]) - 1) // width
    return [rgb(row, step, (0, 1, 2)) for row in unfiltered(rows, step)]


def rgb(row, step, places):
    colours = bytearray(len(row) // step * 3)
    for channel, place in enumerate(places):
        colours[channel::3] = row[place::step]
    return bytes(colours)


def screen(file):
    """Rows of red, green, blue from the file in which Xvfb keeps its screen: an X window dump, 32 bits a pixel."""
    data = file.read_bytes()
    header = struct.unpack(">25I", data[:100])
    width, height, lowest_first, line = header[4], header[5], header[7] == 0, header[12]
    start, places = header[0] + 12 * header[19], (2, 1, 0) if lowest_first else (1, 2, 3)
    return [rgb(data[at:at + 4 * width], 4, places) for at in range(start, start + height * line, line)]


def settled_screen(file):
    before = None
    while (now := screen(file)) != before:
        before = now
        time.sleep(SETTLE_SECONDS)
    return now


def impossible():
    """Thirty heads typed in a real window: `render` draws only what is possible."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        display = Display(*SIZE, "-fbdir", folder)
        try:
            program = Program(display, home)
            program.type_into("architecture.heads.field", "30")
            program.wait_until(lambda report: report["errors"], "30 heads are explained")
            program.move(SIZE[0] - 1, SIZE[1] - 1)
            picture = settled_screen(home / "Xvfb_screen0")
            program.stop()
            return picture
        finally:
            display.close()


def write_png(file, rows):
    """Without transparency and without filters, which pictures of flat colours are smallest with."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def save(name, box, rows):
    left, top, right, bottom = box
    file = FOLDER / f"{name}.png"
    write_png(file, [row[3 * left:3 * right] for row in rows[top:bottom]])
    print(f"{file.relative_to(ROOT)}: {right - left} x {bottom - top}, {file.stat().st_size // 1000} kB", flush=True)


def save_vectors(name, arguments):
    file = FOLDER / f"{name}.svg"
    subprocess.run([os.environ["HEADCOUNT"], "render", *arguments, "-o", str(file)], check=True)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    os.environ["HEADCOUNT"] = str(parser.parse_args().program.resolve())
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (box, arguments) in RENDERED.items():
        save(name, box, rendered(arguments))
    for name, arguments in VECTORS.items():
        save_vectors(name, arguments)
    save("impossible", IMPOSSIBLE_BOX, impossible())


if __name__ == "__main__":
    main()
