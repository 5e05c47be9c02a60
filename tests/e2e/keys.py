# keys.py DISPLAY WINDOW GAP KEY...: sends keys to a window with so many milliseconds between two events, and prints how
# many a program hears of: down, up, and characters. A key is a character or a name with its modifiers ("ctrl+a").
#
# Each event bears a time of its own, however close to one another they arrive: GLFW takes two presses of one key in one
# millisecond for one, and a key that comes again within 20 for one that repeats.
import ctypes
import sys
import time

from x11 import Client, Time, Window, fields

KEY_PRESS, KEY_RELEASE = 2, 3
MODIFIERS = {"shift": ("Shift_L", 1), "ctrl": ("Control_L", 4), "alt": ("Alt_L", 8)}
REPEAT_MILLISECONDS = 25


def milliseconds():
    """The time as the server has it."""
    return time.monotonic_ns() // 1_000_000 % 2**32


class KeyEvent(ctypes.Structure):
    _fields_ = fields(("window", Window), ("root", Window), ("subwindow", Window), ("time", Time), ("x", ctypes.c_int),
                      ("y", ctypes.c_int), ("x_root", ctypes.c_int), ("y_root", ctypes.c_int),
                      ("state", ctypes.c_uint), ("keycode", ctypes.c_uint), ("same_screen", ctypes.c_int))


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("key", KeyEvent), ("room", ctypes.c_long * 24)]


class Keyboard(Client):
    def __init__(self, display, window, gap):
        super().__init__(display, window)
        self.gap, self.heard, self.released = gap, 0, 0
        self.now = milliseconds()

    def symbol(self, name):
        return ord(name) if len(name) == 1 else self.x.XStringToKeysym(name.encode())

    def turn(self, kind, code, state):
        self.now = max(self.now + (REPEAT_MILLISECONDS if code == self.released else 1), milliseconds())
        self.released = code if kind == KEY_RELEASE else 0
        event = Event()
        event.key = KeyEvent(type=kind, window=self.window.value, root=self.root.value, time=self.now, state=state,
                             keycode=code, same_screen=1)
        self.send(self.window, event)
        self.heard += 1
        time.sleep(self.gap / 1000)

    def stroke(self, chord):
        *held, name = [chord] if len(chord) == 1 else chord.split("+")
        symbol = self.symbol(name)
        code = self.x.XKeysymToKeycode(self.display, ctypes.c_ulong(symbol))
        if code == 0:
            raise RuntimeError(f"there is no key for {name}")
        if symbol != self.x.XkbKeycodeToKeysym(self.display, ctypes.c_ubyte(code), 0, 0) and "shift" not in held:
            held.append("shift")
        codes = [self.x.XKeysymToKeycode(self.display, ctypes.c_ulong(self.symbol(MODIFIERS[each][0]))) for each in held]
        state = 0
        for each, modifier in zip(held, codes):
            self.turn(KEY_PRESS, modifier, state)
            state |= MODIFIERS[each][1]
        self.turn(KEY_PRESS, code, state)
        self.heard += symbol < 256 and "ctrl" not in held  # the character
        self.turn(KEY_RELEASE, code, state)
        for each, modifier in reversed(list(zip(held, codes))):
            self.turn(KEY_RELEASE, modifier, state)
            state &= ~MODIFIERS[each][1]


if __name__ == "__main__":
    keyboard = Keyboard(sys.argv[1], sys.argv[2], float(sys.argv[3]))
    for each in sys.argv[4:]:
        keyboard.stroke(each)
    keyboard.x.XSync(keyboard.display, 0)
    time.sleep(max(0, keyboard.now - milliseconds()) / 1000)  # no later key is to be older
    print(keyboard.heard)
