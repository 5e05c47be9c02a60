# Drops files on a window as a file manager does: the source's side of XDND, the protocol of X for that.
import ctypes
import pathlib
import sys
import time

from display import HANG_SECONDS
from x11 import CURRENT_TIME, Atom, Client, Time, Window, fields

CLIENT_MESSAGE, SELECTION_NOTIFY, SELECTION_REQUEST = 33, 31, 30
VERSION = 5


class ClientMessage(ctypes.Structure):
    _fields_ = fields(("window", Window), ("message_type", Atom), ("format", ctypes.c_int), ("data", ctypes.c_long * 5))


class SelectionRequest(ctypes.Structure):
    _fields_ = fields(("owner", Window), ("requestor", Window), ("selection", Atom), ("target", Atom),
                      ("property", Atom), ("time", Time))


class SelectionNotify(ctypes.Structure):
    _fields_ = fields(("requestor", Window), ("selection", Atom), ("target", Atom), ("property", Atom), ("time", Time))


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", SelectionRequest),
                ("notify", SelectionNotify), ("room", ctypes.c_long * 24)]


class Source(Client):
    """Who holds the files until the window has taken them."""

    def __init__(self, display, window, paths):
        super().__init__(display, window)
        self.own = Window(self.x.XCreateSimpleWindow(self.display, self.root, 0, 0, 1, 1, 0, Window(0), Window(0)))
        self.list = "".join(pathlib.Path(path).as_uri() + "\r\n" for path in paths).encode()
        self.x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.own, Time(CURRENT_TIME))

    def close(self):
        self.x.XCloseDisplay(self.display)

    def atom(self, name):
        return Atom(self.x.XInternAtom(self.display, name.encode(), 0))

    def say(self, what, *data):
        event = Event()
        event.client = ClientMessage(type=CLIENT_MESSAGE, window=self.window.value,
                                     message_type=self.atom(what).value, format=32)
        for i, number in enumerate((self.own.value, *data)):
            event.client.data[i] = number
        self.send(self.window, event)

    def hand_over(self, request):
        self.x.XChangeProperty(self.display, Window(request.requestor), Atom(request.property), Atom(request.target),
                               8, 0, self.list, len(self.list))
        event = Event()
        event.notify = SelectionNotify(type=SELECTION_NOTIFY, requestor=request.requestor, selection=request.selection,
                                       target=request.target, property=request.property, time=request.time)
        self.send(Window(request.requestor), event)

    def drop(self):
        self.say("XdndEnter", VERSION << 24, self.atom("text/uri-list").value)
        self.say("XdndPosition", 0, (400 << 16) | 300, CURRENT_TIME, self.atom("XdndActionCopy").value)
        event, end = Event(), time.monotonic() + HANG_SECONDS
        while time.monotonic() < end:
            if not self.x.XPending(self.display):
                time.sleep(0.01)
                continue
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.hand_over(event.request)
            elif event.type == CLIENT_MESSAGE and event.client.message_type == self.atom("XdndStatus").value:
                self.say("XdndDrop", 0, CURRENT_TIME)
            elif event.type == CLIENT_MESSAGE and event.client.message_type == self.atom("XdndFinished").value:
                return
        raise RuntimeError("the window did not take the files")


if __name__ == "__main__":
    Source(sys.argv[1], sys.argv[2], sys.argv[3:]).drop()
