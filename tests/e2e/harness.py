# Runs the real program in a real window and acts on it as a person does; what it should do is said in the tests.
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from display import HANG_SECONDS, POLL_SECONDS, Display

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = (1600, 1000)
DOUBLE_CLICK_PIXELS = 8  # Farther apart two presses are never one double click.
STILL = 5  # Where a program never rests, a thing stands still when so many reports in a row have it in one place.

# A test started in the background would have the program ignore them: what is handled here is not ignored there.
for ends in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(ends) == signal.SIG_IGN:
        signal.signal(ends, lambda number, frame: sys.exit(128 + number))


def program_path():
    candidates = [os.environ.get("HEADCOUNT"), ROOT / "build/release/headcount"]
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
        self.pressed_at = None
        with open(self.stderr_path, "wb") as stderr:
            self.process = subprocess.Popen(command, env=private_environment(display.environment(), home), cwd=home,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr)
        self.last, self.text = {}, None
        self.window = None
        try:
            self.wait_until(lambda report: True, "the program reports its interface")
            self.wait_until(lambda report: self.display.find_window("Headcount", self.process.pid), "a window appears")
            self.window = self.display.find_window("Headcount", self.process.pid)
            self.display.focus(self.window)
        except BaseException:
            self.kill()
            raise

    # What the program says of itself.

    def report(self):
        """The newest report, the same object until there is another. A file that is missing or half written counts as
        not there yet."""
        try:
            text = self.report_path.read_text(encoding="utf-8")
            if text != self.text:
                self.last, self.text = json.loads(text), text
        except (FileNotFoundError, json.JSONDecodeError, UnicodeDecodeError):
            pass
        return self.last

    def stderr(self):
        return self.stderr_path.read_text(encoding="utf-8", errors="replace")

    def wait_until(self, predicate, what, poll=POLL_SECONDS):
        """Waits until the predicate holds for a report and returns that report; looks once in so many seconds. However
        slow the machine is, it is waited for; only what hangs fails."""
        end = time.monotonic() + HANG_SECONDS
        while True:
            report = self.report()
            if report and predicate(report):
                return report
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with status {self.process.returncode} while waiting until "
                                     f"{what}\n{self.evidence()}")
            if time.monotonic() > end:
                raise AssertionError(f"waited {HANG_SECONDS} s in vain until {what}\n{self.evidence()}")
            time.sleep(poll)

    def seconds_until(self, predicate, what, *act):
        """How long after what xdotool does a report is there for which the predicate holds."""
        begin = time.perf_counter()
        tool = self.display.begin_xdotool(*act)
        self.wait_until(predicate, what, poll=0.0005)
        seconds = time.perf_counter() - begin
        tool.wait(HANG_SECONDS)
        return seconds

    def evidence(self):
        picture = tempfile.NamedTemporaryFile(prefix="headcount-e2e-", suffix=".png", delete=False).name
        shown = f"screen: {picture}\n" if self.display.screenshot(picture) else ""
        rects = " ".join(sorted(self.last.get("rects", {})))
        rest = json.dumps({k: v for k, v in self.last.items() if k != "rects"}, indent=1)
        return f"last report: {rest}\nnamed things: {rects}\n{shown}stderr:\n{self.stderr()[-4000:]}"

    # What a person does. Each step waits until the program has seen it, so that nothing depends on speed.

    def rests(self):
        """The report when nothing is to follow any more."""
        return self.wait_until(lambda report: report["rests"], "the program has come to rest")

    def rect(self, name):
        """The rectangle of a named thing, once it stands still."""
        seen, last = [], None

        def still(report):
            nonlocal last
            if report is not last:
                last = report
                seen.append(report["rects"].get(name))
            return seen[-1] is not None and (report["rests"] or seen[-STILL:] == [seen[-1]] * STILL)

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

    def act(self, *arguments, events=1):
        """What xdotool does with buttons or keys, and waits until the program has seen so many of them go up or down."""
        before = self.report()["input"]
        self.display.xdotool(*arguments)
        self.hear(before + events)

    def press(self, button=1):
        self.act("mousedown", button)

    def release(self, button=1):
        self.act("mouseup", button)

    def hover(self, name, fraction=(0.5, 0.5)):
        """Follows the thing where the pointer's coming moves it."""
        there = None
        while there != (point := self.point(name, fraction)):
            self.move(*point)
            there = point
        self.pressed_at = point
        return point

    def click(self, name, fraction=(0.5, 0.5)):
        self.hover(name, fraction)
        self.press()
        self.release()

    def double_click_at(self, x, y):
        """At once, as the program takes two presses for one by when they came."""
        self.move(x, y)
        self.act("click", "--repeat", 2, "--delay", 20, 1, events=4)

    def double_click(self, name, fraction=(0.5, 0.5)):
        self.double_click_at(*self.hover(name, fraction))

    def drag(self, name, from_fraction, to_fraction, while_held=None):
        """Drags along a thing, from one fraction of its width to another; `while_held` is called before the release."""
        before = self.pressed_at
        start, end = self.hover(name, (from_fraction, 0.5)), self.point(name, (to_fraction, 0.5))
        if start == before:  # where a press was before it might be a double click
            self.pressed_at = start[0] + DOUBLE_CLICK_PIXELS, start[1]
            self.move(*self.pressed_at)
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
            self.act(action, key)

    def quick_chord(self, chord):
        """Presses a key with its modifiers faster than the program looks, and lets go of the modifiers first."""
        keys = chord.split("+")
        self.display.xdotool(*(word for key in keys for word in ("keydown", key)),
                             *(word for key in keys for word in ("keyup", key)))

    def send_keys(self, *keys, gap=0):
        """Sends keys (see keys.py) and returns how many events the program is to hear of."""
        command = [sys.executable, ROOT / "tests/e2e/keys.py", self.display.name, str(self.window), str(gap), *keys]
        return int(subprocess.run(command, check=True, capture_output=True, timeout=HANG_SECONDS).stdout)

    def keys(self, *keys, gap=0):
        """Presses keys without waiting in between, until the program has heard of all of them."""
        before = self.report()["input"]
        self.hear(before + self.send_keys(*keys, gap=gap))

    def hear(self, events):
        self.wait_until(lambda report: report["input"] >= events, f"the program has heard of {events} events")

    def type(self, text):
        self.keys(*text)

    @contextlib.contextmanager
    def busy(self):
        """What is done meanwhile comes to the program all at once, as where something else keeps it busy."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def type_into(self, name, text):
        """Puts a text into a field in place of what it held, and ends with Return."""
        self.click(name)
        self.key("ctrl+a")
        self.type(text)
        self.key("Return")

    def choose_preset(self, preset):
        """Opens a preset from the menu, by typing its id as far as the list needs it."""
        self.click("topbar.preset")
        self.type(preset)
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
                self.process.wait(HANG_SECONDS)
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
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG_SECONDS)


class OpenTest(WindowTest):
    """One program for each test: its first preset is open, and it ends well when the test is over."""

    arguments = ()

    def setUp(self):
        super().setUp()
        self.program = self.start(*self.arguments)
        self.program.wait_until(lambda report: report["preset"], "a preset is open")

    def tearDown(self):
        self.program.stop()
