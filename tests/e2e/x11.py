# A client of the X server besides the program: the events that it sends come from it and not from the server. It runs in
# a process of its own, because Xlib ends the one in which something goes wrong.
import ctypes
import ctypes.util

CURRENT_TIME = 0
Window = Atom = Time = ctypes.c_ulong


def fields(*more):
    return [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
            ("display", ctypes.c_void_p), *more]


class Client:
    def __init__(self, display, window):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        for name in ("XInternAtom", "XCreateSimpleWindow", "XDefaultRootWindow", "XStringToKeysym",
                     "XkbKeycodeToKeysym"):
            getattr(self.x, name).restype = ctypes.c_ulong
        self.x.XKeysymToKeycode.restype = ctypes.c_ubyte
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))
        if not self.display:
            raise RuntimeError(f"there is no display {display}")
        self.root = Window(self.x.XDefaultRootWindow(self.display))
        self.window = Window(int(window))

    def send(self, window, event):
        self.x.XSendEvent(self.display, window, 0, ctypes.c_long(0), ctypes.byref(event))
        self.x.XFlush(self.display)
