# monkey.py [EVENTS [SEED]] [--result FILE]: plays with the real window at random and expects that it bears it. One seed
# is one game. The program that HEADCOUNT names is played with, and may be one with sanitizers. What it writes goes to
# a folder of its own.
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

import confine
from display import HANG_SECONDS, Display
from drop import Source
from fingers import FOREIGN, Fingers
from harness import ROOT, Program

SCREEN = (1920, 1080)
SIZES = [(1120, 680)] * 6 + [(1280, 720)] * 2 + [(1600, 1000), SCREEN, (800, 600), (640, 480)]
ODD_SIZES = [(1, 1), (1, 1), (2, 700), (900, 1), (16, 16), (64, 64), (320, 320), (480, 320), (300, 1000), (1900, 90),
             (2500, 1600)]
BATCH = 24  # events, about: after so many the program is asked whether it still answers
ROUND = 10_000  # events, about: after so many it is closed, and begins where it was left
KEYS = ("Escape Escape Escape Return Return Tab Tab space BackSpace Delete Left Right Up Down Home End Prior Next "
        "Insert F1 F2 F5 F10 KP_Enter KP_Add f p l d h t m question plus minus 0").split()
MODIFIERS = ["Control_L", "Shift_L", "Alt_L", "Super_L"]
SHORTCUTS = list("kosczyvxatkzz0+-") + ["Left", "Right", "BackSpace", "Home", "End", "Tab", "Return"]
WORDS = ["0", "1", "-1", "12", "4096", "1e9", "99999999999999999999", "0.5", "nan", "8k", "7b", "llama", "qwen 7b",
         "gpt2", "x", "...", "a b", "which matrix is biggest", "params of ffn", "kv cache 8k tokens", "4096x11008", "100 x 64",
         "vocab * dim", "compare llama 2 7b with gpt2", "what fits in 24 GB", "model.json", "../", "(", "\"", FOREIGN]
TOLD = 40  # of the last events, where one went wrong


class Wrong(Exception):
    """What the program did that it may not."""


def toys(folder):
    """Files to drop on the window and to find in the file dialog: good ones, wrong ones, none."""
    folder.mkdir()
    golden, assets = ROOT / "tests/golden", ROOT / "assets"
    for source in (*sorted(assets.glob("tours/*.json"))[:2], *sorted(assets.glob("worksheets/*.json"))[:2],
                   *sorted(assets.glob("claims/*.json"))[:1], golden / "runtime/falcon.json",
                   golden / "runtime/falcon.safetensors", golden / "tokenizers/gpt2.json"):
        shutil.copy(source, folder)
    (folder / "config.json").write_text('{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, '
                                        '"num_attention_heads": 4, "intermediate_size": 172, "vocab_size": 1000}')
    (folder / "empty.json").write_bytes(b"")
    (folder / "wrong.gguf").write_bytes(b"GGUF" + bytes(range(256)))
    (folder / "no text.json").write_bytes(bytes(range(255, 0, -1)))
    (folder / "a folder").mkdir()
    return [*sorted(folder.iterdir()), folder / "that is not there.json"]


class Monkey:
    """Thinks of what to do next. What is done depends on the seed and on what the program shows."""

    def __init__(self, seed, files, can_type):
        self.chance = random.Random(seed)
        self.files = files
        self.words = ["".join(filter(can_type, word)) for word in WORDS]
        self.size = SIZES[0]
        self.odd = False  # the window is of a size at which pointing at things means nothing

    def anywhere(self):
        return self.chance.randrange(self.size[0]), self.chance.randrange(self.size[1])

    def somewhere(self, report):
        """In one of the things that the report names, mostly."""
        rects = sorted(report["rects"].items())
        if not rects or self.odd or self.chance.random() < 0.2:
            return self.anywhere()
        x0, y0, x1, y1 = self.chance.choice(rects)[1]
        across, down = self.chance.random(), self.chance.random()
        return (min(max(round(x0 + (x1 - x0) * across), 0), self.size[0] - 1),
                min(max(round(y0 + (y1 - y0) * down), 0), self.size[1] - 1))

    def clicks(self, report, button=1, times=1):
        yield ("move", *self.somewhere(report))
        for _ in range(times):
            yield ("button", button, True)
            yield ("button", button, False)

    def drag(self, report):
        x, y = self.somewhere(report)
        to_x, to_y = self.somewhere(report) if self.chance.random() < 0.5 else self.anywhere()
        button, steps = self.chance.choice((1, 1, 1, 2, 3)), self.chance.randint(1, 5)
        yield ("move", x, y)
        yield ("button", button, True)
        for step in range(1, steps + 1):
            yield ("move", x + (to_x - x) * step // steps, y + (to_y - y) * step // steps)
        yield ("button", button, False)

    def wheel(self, report):
        yield ("move", *self.somewhere(report))
        button = self.chance.choice((4, 4, 5, 5, 6, 7))
        for _ in range(self.chance.randint(1, 8)):
            yield ("button", button, True)
            yield ("button", button, False)

    def chord(self, key, modifiers):
        for each in modifiers:
            yield ("key", each, True)
        yield ("key", key, True)
        yield ("key", key, False)
        for each in reversed(modifiers):
            yield ("key", each, False)

    def key(self, report):
        modifiers = [each for each in MODIFIERS if self.chance.random() < 0.07]
        key = self.chance.choice(KEYS)
        if {"Control_L", "Alt_L"} <= set(modifiers) and key.startswith(("F", "KP_")):
            modifiers.remove("Alt_L")  # the display's own: another console, another mode
        yield from self.chord(key, modifiers)

    def shortcut(self, report):
        modifiers = ["Control_L"] + (["Shift_L"] if self.chance.random() < 0.25 else [])
        yield from self.chord(self.chance.choice(SHORTCUTS), modifiers)

    def text(self, report):
        for character in self.chance.choice(self.words):
            yield ("key", character, True)
            yield ("key", character, False)
        if self.chance.random() < 0.6:
            yield from self.chord(self.chance.choice(("Return", "Tab", "Escape")), [])

    def moves(self, report):
        for _ in range(self.chance.randint(1, 4)):
            yield ("move", *self.somewhere(report))

    def other_size(self, report):
        yield ("size", *self.chance.choice(ODD_SIZES))

    def minimise(self, report):
        yield ("minimise", True)
        if self.chance.random() < 0.5:
            yield ("minimise", False)

    def look_away(self, report):
        yield ("focus", False)
        if self.chance.random() < 0.5:
            yield ("focus", True)

    def drop(self, report):
        yield ("drop", *self.chance.sample(self.files, self.chance.choice((1, 1, 1, 2))))

    ACTIONS = ((clicks, 34), (lambda self, report: self.clicks(report, times=2), 6),
               (lambda self, report: self.clicks(report, 3), 5), (lambda self, report: self.clicks(report, 2), 1),
               (drag, 9), (wheel, 8), (key, 14), (shortcut, 8), (text, 8), (moves, 4), (other_size, 1.5),
               (minimise, 0.5), (look_away, 0.7), (drop, 0.3))

    def batch(self, report):
        """What is to be done before the program is asked again, and whether each event waits for the one before."""
        self.odd = False
        hurried = self.chance.random() < 0.4
        events = []
        while len(events) < BATCH:
            action = self.chance.choices([each for each, _ in self.ACTIONS], [often for _, often in self.ACTIONS])[0]
            events += action(self, report)
            self.odd = self.odd or events[-1][0] in ("size", "minimise")
            if not hurried and action is not Monkey.moves:
                break  # the next one sees what this one has done
        if self.chance.random() < 0.03:
            self.size = self.chance.choice(SIZES)  # from when it is asked on
        return events, hurried


class Game:
    """A program, and hands that do what the monkey thinks of."""

    def __init__(self, display, fingers, home):
        self.display, self.fingers, self.home = display, fingers, home
        self.program = None
        self.restless = 0  # so that each question is another than the last

    def start(self):
        wrapper = (sys.executable, confine.__file__, str(self.home))
        self.program = Program(self.display, self.home, wrapper=wrapper, size=SIZES[0])
        self.fingers.window = int(self.program.window)

    def wait_until(self, predicate, what):
        try:
            return self.program.wait_until(predicate, what, poll=0.001)
        except AssertionError as failure:
            raise Wrong(str(failure)) from None

    def complaint(self):
        text = self.program.stderr()
        return text if "Sanitizer" in text or "runtime error:" in text or "Assertion" in text else ""

    def do(self, event, waits):
        """One event; where it waits, until the program has seen it."""
        kind, *what = event
        before = self.program.report().get("input", 0)
        if kind == "drop":
            source = Source(self.display.name, self.program.window, what)
            try:
                source.drop()
            finally:
                source.close()
            return
        getattr(self.fingers, kind)(*what)
        self.fingers.send()
        if not waits:
            return
        if kind == "move" and what != [0, 0]:  # GLFW takes a move to there for one of its own, and tells nobody
            self.wait_until(lambda report: close(report["mouse"], what), f"it sees the mouse at {what}")
        elif kind == "key" or (kind == "button" and what[0] < 4):
            self.wait_until(lambda report: report["input"] != before, f"it sees {event}")

    def ask(self, size):
        """Lets go of everything, puts the window right, and waits until the program has seen where the mouse is."""
        for button in (1, 2, 3):
            self.fingers.button(button, False)
        for modifier in MODIFIERS:
            self.fingers.key(modifier, False)
        self.fingers.minimise(False)
        self.fingers.size(*size)
        self.fingers.focus(True)
        self.restless = (self.restless + 1) % 10
        point = (size[0] - 5 - 10 * self.restless, size[1] - 3)
        self.fingers.move(*point)
        self.fingers.send()
        report = self.wait_until(lambda report: close(report["mouse"], point) and not report["mouse_down"],
                                 "it answers")
        if self.complaint():
            raise Wrong("the sanitizers complain\n" + self.complaint())
        return report

    def end(self):
        """Closes the window as one does, which has to end the program well."""
        self.fingers.ask_to_close()
        self.fingers.send()
        try:
            status = self.program.process.wait(HANG_SECONDS)
        except subprocess.TimeoutExpired:
            raise Wrong("it does not end when its window is closed") from None
        if status != 0 or self.complaint():
            raise Wrong(f"it ended with status {status} when its window was closed\n{self.program.stderr()[-4000:]}")

    def kill(self):
        if self.program:
            self.program.kill()


def close(seen, meant):
    return all(abs(a - b) <= 1 for a, b in zip(seen, meant))


def play(events, seed):
    """Returns how many events were played, and what went wrong, if anything did."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="headcount-monkey-"))
    display = Display(*SCREEN)
    fingers = Fingers(display.name)
    game = Game(display, fingers, home)
    done, past = 0, []
    try:
        monkey = Monkey(seed, toys(home / "toys"), fingers.can_type)
        while done < events:
            game.start()
            end_of_round = min(done + ROUND, events)
            report = game.ask(monkey.size)
            while done < end_of_round:
                batch, hurried = monkey.batch(report)
                reachable = True
                for event in batch:
                    past.append((done, event))
                    done += 1
                    reachable = reachable and event[0] not in ("size", "minimise", "focus")
                    game.do(event, reachable and not hurried)
                del past[:-TOLD]
                report = game.ask(monkey.size)
            game.end()
            print(f"{done} events", file=sys.stderr, flush=True)
        return done, None
    except (Wrong, RuntimeError, AssertionError) as failure:
        told = "\n".join(f"  {number}: {' '.join(map(str, event))}" for number, event in past)
        return done, f"event {done} of seed {seed}: {failure}\nThe last events:\n{told}"
    finally:
        game.kill()
        fingers.close()
        display.close()
        shutil.rmtree(home, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("events", nargs="?", type=int, default=20_000)
    parser.add_argument("seed", nargs="?", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--result", type=pathlib.Path)
    arguments = parser.parse_args()
    begin = time.monotonic()
    suite = ElementTree.Element("testsuite", name="monkey")
    case = ElementTree.SubElement(suite, "testcase", classname="monkey",
                                  name=f"{arguments.events} events, seed {arguments.seed}")
    wrong = None
    if confine.version() == 0:
        print("the kernel has no Landlock, which keeps a program from writing where it likes: nothing was played",
              file=sys.stderr)
        ElementTree.SubElement(case, "skipped")
    else:
        done, wrong = play(arguments.events, arguments.seed)
        if wrong:
            print(f"{wrong}\nOnce more: ./test monkey {arguments.events} {arguments.seed}", file=sys.stderr)
            ElementTree.SubElement(case, "failure").text = wrong
        print(f"{done} events with seed {arguments.seed} in {time.monotonic() - begin:.0f} s", file=sys.stderr)
    if arguments.result:
        arguments.result.parent.mkdir(parents=True, exist_ok=True)
        ElementTree.ElementTree(suite).write(arguments.result)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
