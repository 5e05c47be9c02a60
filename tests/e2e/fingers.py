# Mouse, keyboard and window manager for a program that is tested, by X itself: as many events a second as the server
# takes, where xdotool would be a process for each. It knows nothing of Headcount.
import ctypes
import ctypes.util

Window = Atom = Time = KeySym = ctypes.c_ulong
CURRENT_TIME, ANY_STATE, REVERT_TO_PARENT = 0, 0, 2
NORMAL_STATE, ICONIC_STATE = 1, 3
FIRST_KEY, LAST_KEY = 8, 255
SHIFT = 0xffe1

# What the keyboard of the virtual server has not: it gets keys for them.
FOREIGN = "éß×²漢🙂"


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", Window), ("message_type", Atom), ("format", ctypes.c_int),
                ("data", ctypes.c_long * 5), ("room", ctypes.c_long * 12)]


def library(name, file):
    return ctypes.CDLL(ctypes.util.find_library(name) or file)


class Fingers:
    def __init__(self, display):
        self.x, self.test = library("X11", "libX11.so.6"), library("Xtst", "libXtst.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        for name in ("XInternAtom", "XDefaultRootWindow", "XStringToKeysym"):
            getattr(self.x, name).restype = ctypes.c_ulong
        self.x.XKeycodeToKeysym.restype = KeySym
        # A window that is gone or out of sight cannot take the keyboard: that is no reason to end.
        self.ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, error: 0)
        self.x.XSetErrorHandler(self.ignore)
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))
        if not self.display:
            raise RuntimeError(f"there is no display {display}")
        self.window = None
        self.shifted = False  # Shift is held by itself
        self.keys = self.learn_keyboard()

    def close(self):
        self.x.XCloseDisplay(self.display)

    def atom(self, name):
        return Atom(self.x.XInternAtom(self.display, name.encode(), 0))

    def learn_keyboard(self):
        """By keysym: which key it is on, and whether with Shift."""
        codes = range(FIRST_KEY, LAST_KEY + 1)

        def symbol(code, shift):
            return self.x.XKeycodeToKeysym(self.display, ctypes.c_ubyte(code), shift)

        free = [code for code in codes if not symbol(code, 0)]
        for code, character in zip(free, FOREIGN):
            symbols = (KeySym * 2)(0x01000000 + ord(character), 0x01000000 + ord(character))
            self.x.XChangeKeyboardMapping(self.display, code, 2, symbols, 1)
        self.x.XSync(self.display, 0)
        known = {symbol(code, shift): (code, bool(shift)) for shift in (1, 0) for code in codes if symbol(code, shift)}
        known.update({0x01000000 + ord(character): (code, False) for code, character in zip(free, FOREIGN)})
        return known

    def symbol_of(self, key):
        """Of a key by X's name for it, or of a character."""
        if len(key) > 1:
            return self.x.XStringToKeysym(key.encode())
        return ord(key) if ord(key) < 0x100 and ord(key) in self.keys else 0x01000000 + ord(key)

    def can_type(self, character):
        return self.symbol_of(character) in self.keys

    # What is done with them. Nothing waits: see `send`.

    def move(self, x, y):
        self.test.XTestFakeMotionEvent(self.display, -1, x, y, CURRENT_TIME)

    def button(self, number, down):
        self.test.XTestFakeButtonEvent(self.display, number, int(down), CURRENT_TIME)

    def key(self, key, down):
        symbol = self.symbol_of(key)
        code, shift = self.keys[symbol]
        if symbol == SHIFT:
            self.shifted = down
        shift = shift and not self.shifted
        if shift and down:
            self.press(self.keys[SHIFT][0], True)
        self.press(code, down)
        if shift and not down:
            self.press(self.keys[SHIFT][0], False)

    def press(self, code, down):
        self.test.XTestFakeKeyEvent(self.display, code, int(down), CURRENT_TIME)

    def size(self, width, height):
        """No window manager stands between: the window takes every size."""
        self.x.XMoveResizeWindow(self.display, Window(self.window), 0, 0, width, height)

    def minimise(self, minimised):
        """As a window manager does it: the window goes, and its state says why."""
        state = self.atom("WM_STATE")
        data = (ctypes.c_long * 2)(ICONIC_STATE if minimised else NORMAL_STATE, 0)
        if minimised:
            self.x.XUnmapWindow(self.display, Window(self.window))
        self.x.XChangeProperty(self.display, Window(self.window), state, state, 32, 0, data, 2)
        if not minimised:
            self.x.XMapRaised(self.display, Window(self.window))

    def focus(self, has_it):
        self.x.XSync(self.display, 0)
        if has_it:  # as a window manager does: the speaker's window may lie over it
            self.x.XRaiseWindow(self.display, Window(self.window))
        to = self.window if has_it else self.x.XDefaultRootWindow(self.display)
        self.x.XSetInputFocus(self.display, Window(to), REVERT_TO_PARENT, CURRENT_TIME)

    def ask_to_close(self):
        message = ClientMessage(type=33, window=self.window, message_type=self.atom("WM_PROTOCOLS"), format=32)
        message.data[0] = self.atom("WM_DELETE_WINDOW").value
        self.x.XSendEvent(self.display, Window(self.window), 0, ctypes.c_long(0), ctypes.byref(message))

    def send(self):
        """What was done until now is with the server."""
        self.x.XFlush(self.display)
