# Runs the real program in a real window and acts on it as a person does; what it should do is said in the tests.
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from display import POLL_SECONDS, Display

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = (1600, 1000)
DOUBLE_CLICK_SECONDS = 0.35  # longer than ImGui's
STILL = 5  # A thing has stopped moving when so many looks at it in a row find it in one place.


def program_path():
    candidates = [os.environ.get("HEADCOUNT"), ROOT / "build/release/headcount", ROOT / "build/release/app/headcount"]
    for candidate in filter(None, candidates):
        if os.access(candidate, os.X_OK) and pathlib.Path(candidate).is_file():
            return str(candidate)
    raise RuntimeError("headcount is not built: build it, or name the program in the variable HEADCOUNT")


def private_environment(environment, home):
    """The environment with every place where state is kept moved below the folder `home`."""
    places = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "XDG_DATA_HOME": home / "data",
              "XDG_STATE_HOME": home / "state", "XDG_CACHE_HOME": home / "cache"}
    return {**environment, **{name: str(place) for name, place in places.items()}}


class Program:
    """One run of the program. What it shows is read from the file that it writes for `--report-ui`."""

    def __init__(self, display, home, arguments=(), wrapper=(), name="", size=SIZE):
        """With a name several can run with one home; without a size the window has the one that it had."""
        self.display = display
        self.report_path = home / f"report{name}.json"
        self.report_path.unlink(missing_ok=True)
        self.stderr_path = home / f"stderr{name}.txt"
        sized = ["--size", f"{size[0]}x{size[1]}"] if size else []
        command = [*wrapper, program_path(), *sized, "--report-ui", str(self.report_path), *arguments]
        self.stopped = False
        with open(self.stderr_path, "wb") as stderr:
            self.process = subprocess.Popen(command, env=private_environment(display.environment(), home), cwd=home,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr)
        self.last = {}
        self.window = None
        try:
            self.wait_until(lambda report: True, "the program reports its interface", 60)
            self.wait_until(lambda report: self.display.find_window("Headcount", self.process.pid),
                            "a window appears", 60)
            self.window = self.display.find_window("Headcount", self.process.pid)
            self.display.focus(self.window)
        except BaseException:
            self.kill()
            raise

    # What the program says of itself.

    def report(self):
        """The newest report. A file that is missing or half written counts as not there yet."""
        try:
            self.last = json.loads(self.report_path.read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError, UnicodeDecodeError):
            pass
        return self.last

    def stderr(self):
        return self.stderr_path.read_text(encoding="utf-8", errors="replace")

    def wait_until(self, predicate, what, seconds=20, poll=POLL_SECONDS):
        """Waits until the predicate holds for a report and returns that report; looks once in so many seconds."""
        end = time.monotonic() + seconds
        while True:
            report = self.report()
            if report and predicate(report):
                return report
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended while waiting until {what}\n{self.evidence()}")
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain until {what}\n{self.evidence()}")
            time.sleep(poll)

    def seconds_until(self, predicate, what, *act):
        """How long after what xdotool does a report is there for which the predicate holds."""
        begin = time.perf_counter()
        tool = self.display.begin_xdotool(*act)
        self.wait_until(predicate, what, poll=0.0005)
        seconds = time.perf_counter() - begin
        tool.wait(20)
        return seconds

    def evidence(self):
        picture = tempfile.NamedTemporaryFile(prefix="headcount-e2e-", suffix=".png", delete=False).name
        shown = f"screen: {picture}\n" if self.display.screenshot(picture) else ""
        rects = " ".join(sorted(self.last.get("rects", {})))
        rest = json.dumps({k: v for k, v in self.last.items() if k != "rects"}, indent=1)
        return f"last report: {rest}\nnamed things: {rects}\n{shown}stderr:\n{self.stderr()[-4000:]}"

    # What a person does. Each step waits until the program has seen it, so that nothing depends on speed.

    def rect(self, name):
        """The rectangle of a named thing, once it stands still."""
        seen = []

        def still(report):
            seen.append(report["rects"].get(name))
            return seen[-1] is not None and seen[-STILL:] == [seen[-1]] * STILL

        return self.wait_until(still, f"'{name}' is on the screen")["rects"][name]

    def point(self, name, fraction=(0.5, 0.5)):
        x0, y0, x1, y1 = self.rect(name)
        return round(x0 + (x1 - x0) * fraction[0]), round(y0 + (y1 - y0) * fraction[1])

    def move(self, x, y):
        left, top = self.display.origin(self.window)
        self.display.xdotool("mousemove", left + x, top + y)

        def there(report):
            return abs(report["mouse"][0] - x) <= 1 and abs(report["mouse"][1] - y) <= 1

        self.wait_until(there, f"the program sees the mouse at {x}, {y}")

    def press(self):
        self.display.xdotool("mousedown", 1)
        self.wait_until(lambda report: report["mouse_down"], "the program sees the button pressed")

    def release(self):
        self.display.xdotool("mouseup", 1)
        self.wait_until(lambda report: not report["mouse_down"], "the program sees the button released")

    def hover(self, name, fraction=(0.5, 0.5)):
        self.move(*self.point(name, fraction))

    def click(self, name, fraction=(0.5, 0.5)):
        self.hover(name, fraction)
        self.press()
        self.release()

    def double_click(self, name, fraction=(0.5, 0.5)):
        self.hover(name, fraction)
        for _ in range(2):
            self.press()
            self.release()

    def drag(self, name, from_fraction, to_fraction, while_held=None):
        """Drags along a thing, from one fraction of its width to another; `while_held` is called before the release."""
        start, end = self.point(name, (from_fraction, 0.5)), self.point(name, (to_fraction, 0.5))
        self.move(*start)
        time.sleep(DOUBLE_CLICK_SECONDS)  # with a press before, in the same place, it would be a double click
        self.press()
        steps = 6
        for step in range(1, steps + 1):
            self.move(*(round(a + (b - a) * step / steps) for a, b in zip(start, end)))
        if while_held:
            while_held()
        self.release()

    def key(self, chord):
        """Presses a key with its modifiers, as in "ctrl+shift+z". Each key is held until it has been seen."""
        keys = chord.split("+")
        for action, key in [("keydown", key) for key in keys] + [("keyup", key) for key in reversed(keys)]:
            before = self.report()["input"]
            self.display.xdotool(action, key)
            self.wait_until(lambda report: report["input"] > before, f"the program sees the {action} of {key}")

    def quick_chord(self, chord):
        """Presses a key with its modifiers faster than the program looks, and lets go of the modifiers first."""
        keys = chord.split("+")
        self.display.xdotool(*(word for key in keys for word in ("keydown", key)),
                             *(word for key in keys for word in ("keyup", key)))

    def type_into(self, name, text):
        """Puts a text into a field in place of what it held, and ends with Return."""
        self.click(name)
        self.key("ctrl+a")
        for character in text:
            self.key(character)
        self.key("Return")

    def choose_preset(self, preset):
        """Opens a preset from the menu, by typing its id as far as the list needs it."""
        self.click("topbar.preset")
        for character in preset:
            self.key({"-": "minus", ".": "period"}.get(character, character))
        self.click(f"topbar.preset.item.{preset}")

    # The end.

    def stop(self):
        """Ends the program and fails if it had ended by itself or a sanitizer complained; a second time, nothing."""
        if self.stopped:
            return
        self.stopped = True
        status = self.process.poll()
        self.kill()
        if status is not None:
            raise AssertionError(f"the program had ended by itself with status {status}\nstderr:\n{self.stderr()}")
        if "Sanitizer" in self.stderr() or "runtime error:" in self.stderr():
            raise AssertionError(f"a sanitizer complained:\n{self.stderr()}")

    def kill(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class WindowTest(unittest.TestCase):
    """A test with a display for the class, and a home folder of its own where the program keeps its state."""

    @classmethod
    def setUpClass(cls):
        cls.display = Display(*SIZE)
        cls.addClassCleanup(cls.display.close)

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="headcount-e2e-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def start(self, *arguments, **options):
        program = Program(self.display, self.home, arguments, **options)
        self.addCleanup(program.kill)
        return program

    def run_once(self, *arguments, display=True):
        """Runs the program without acting on it and returns what it said when it ended."""
        environment = private_environment(self.display.environment(), self.home)
        if not display:
            environment.pop("DISPLAY")
        return subprocess.run([program_path(), *map(str, arguments)], env=environment, cwd=self.home,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


class OpenTest(WindowTest):
    """One program for each test: its first preset is open, and it ends well when the test is over."""

    arguments = ()

    def setUp(self):
        super().setUp()
        self.program = self.start(*self.arguments)
        self.program.wait_until(lambda report: report["preset"], "a preset is open")

    def tearDown(self):
        self.program.stop()
