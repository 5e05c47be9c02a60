# A private X server with a mouse and a keyboard; it knows nothing of Headcount.
import os
import select
import shutil
import subprocess
import time

POLL_SECONDS = 0.01
HANG_SECONDS = 600  # No machine is so slow: whoever waits longer waits for something that does not come.


def read_line(pipe, seconds):
    """The first line that comes through a pipe, or "" if none comes. The server writes it in pieces, and it gives up if
    nobody reads the last one."""
    line, end = b"", time.monotonic() + seconds
    while not line.endswith(b"\n") and select.select([pipe], [], [], max(0, end - time.monotonic()))[0]:
        piece = os.read(pipe, 32)
        if not piece:
            return ""
        line += piece
    return line.decode().strip()


class Display:
    """Xvfb on a free display, driven with xdotool. No window manager runs, so nothing moves or decorates a window."""

    def __init__(self, width=1600, height=1000, *options):
        for tool in ("Xvfb", "xdotool"):
            if not shutil.which(tool):
                raise RuntimeError(f"{tool} is not installed: the end-to-end tests need the packages xvfb and xdotool")
        read, write = os.pipe()
        # -displayfd picks a free number and reports it when clients can connect. -r: a key held down does not repeat,
        # so a slow machine types the same text as a fast one. -noreset: between two programs the server stays as it is;
        # otherwise it starts anew when its last client leaves, and who connects in that moment is turned away.
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-dpi", "96", "-r",
                   "-noreset", "+extension", "GLX", "-nolisten", "tcp", *options]
        self.server = subprocess.Popen(command, pass_fds=[write], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        number = read_line(read, HANG_SECONDS)
        os.close(read)
        if not number:
            self.close()
            raise RuntimeError("Xvfb did not start")
        self.name = f":{number}"

    def close(self):
        self.server.terminate()
        try:
            self.server.wait(HANG_SECONDS)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def environment(self):
        """The variables that make a program open its window here, whatever desktop the tests run on."""
        environment = {k: v for k, v in os.environ.items() if k not in ("WAYLAND_DISPLAY", "XAUTHORITY")}
        environment.update(DISPLAY=self.name, XDG_SESSION_TYPE="x11", LIBGL_ALWAYS_SOFTWARE="1")
        return environment

    def xdotool(self, *arguments):
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment(), capture_output=True,
                              text=True, timeout=HANG_SECONDS)
        return done.stdout.strip()

    def begin_xdotool(self, *arguments):
        """The same, and goes on at once: the process, to be waited for."""
        return subprocess.Popen(["xdotool", *map(str, arguments)], env=self.environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def find_window(self, title, process):
        """The id of the process's visible window whose title contains the text, or None."""
        found = self.xdotool("search", "--all", "--onlyvisible", "--pid", process, "--name", title).split()
        return found[-1] if found else None

    def focus(self, window):
        """Gives a window the keyboard and waits until it has it."""
        end = time.monotonic() + HANG_SECONDS
        while self.xdotool("getwindowfocus") != window:
            if time.monotonic() > end:
                raise AssertionError(f"the window {window} did not take the keyboard")
            self.xdotool("windowfocus", window)
            time.sleep(POLL_SECONDS)

    def geometry(self, window, *names):
        lines = self.xdotool("getwindowgeometry", "--shell", window).splitlines()
        values = dict(line.split("=", 1) for line in lines if "=" in line)
        return tuple(int(values[name]) for name in names)

    def origin(self, window):
        """Where the window's upper left corner is on the screen."""
        return self.geometry(window, "X", "Y")

    def extent(self, window):
        return self.geometry(window, "WIDTH", "HEIGHT")

    def screenshot(self, path):
        """Writes what the screen shows, where a tool for it is installed. Returns whether it did."""
        if not shutil.which("import"):
            return False
        command = ["import", "-silent", "-window", "root", str(path)]
        return subprocess.run(command, env=self.environment(), capture_output=True, timeout=HANG_SECONDS).returncode == 0
