"""A Firefox on a display of its own, where it has WebGL, spoken to by WebDriver BiDi: as browser.py's Chromium."""
import asyncio
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import websockets

from browser import CTRL, Page

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from display import Display  # noqa: E402

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "PageDown": "\ue00f", "F1": "\ue031", "F2": "\ue032",
        "F5": "\ue035"}
CONTROL = "\ue009"
PREFERENCES = {
    "webgl.force-enabled": True, "gfx.webrender.software": True, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False, "browser.startup.homepage_override.mstone": "ignore", "toolkit.telemetry.enabled": False,
    "dom.events.testing.asyncClipboard": True, "browser.download.folderList": 2,
    "browser.download.useDownloadDir": True, "browser.download.always_ask_before_handling_new_types": False,
}


class Firefox(Page):
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    name = "Firefox"

    async def __aenter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headcount-web-"))
        profile = self.folder / "profile"
        profile.mkdir()
        wanted = dict(PREFERENCES, **{"browser.download.dir": str(self.folder)})
        for name, value in self.media:
            if name == "prefers-color-scheme":
                wanted["ui.systemUsesDarkTheme"] = int(value == "dark")
            else:
                wanted["ui.prefersReducedMotion"] = int(value == "reduce")
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                                                 for name, value in wanted.items()))
        self.display = Display(1600, 1200)
        environment = dict(self.display.environment(), HOME=str(self.folder), MOZ_DISABLE_CONTENT_SANDBOX="1")
        self.process = subprocess.Popen(
            [self.program, "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = profile / "WebDriverBiDiServer.json"
        for _ in range(600):
            if port_file.exists() and port_file.read_text().strip():
                break
            await asyncio.sleep(0.1)
        port = json.loads(port_file.read_text())["ws_port"]
        self.socket = await websockets.connect(f"ws://127.0.0.1:{port}/session", max_size=None, ping_interval=None)
        self.reader = asyncio.create_task(self.read())
        await self.send("session.new", capabilities={})
        await self.send("session.subscribe", events=["log.entryAdded"])
        self.context = (await self.send("browsingContext.getTree"))["contexts"][0]["context"]
        await self.size(1280, 720)
        return self

    async def __aexit__(self, *raised):
        await super().__aexit__(*raised)
        self.display.close()

    def failure(self, message):
        return message.get("message") if message.get("type") == "error" else None

    def console(self):
        return [event["params"].get("text") for event in self.events if event.get("method") == "log.entryAdded"]

    async def go(self, address):
        await self.send("browsingContext.navigate", context=self.context, url=address, wait="none")

    async def evaluate(self, expression):
        result = await self.send("script.evaluate", target={"context": self.context}, awaitPromise=True, userActivation=True,
                                 expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()")
        if result["type"] != "success":
            raise AssertionError(f"{expression}: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    async def size(self, width, height, density=1, touch=False):
        self.density = density
        await self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height},
                        devicePixelRatio=density)

    async def act(self, kind, *actions, **more):
        await self.send("input.performActions", context=self.context,
                        actions=[{"type": kind, "id": kind, "actions": list(actions), **more}])

    async def mouse(self, kind, x, y, deltaX=0, deltaY=0):
        x, y = round(x), round(y)
        if kind == "mouseWheel":
            await self.act("wheel", {"type": "scroll", "x": x, "y": y, "deltaX": deltaX, "deltaY": deltaY})
        else:
            await self.act("pointer", {"type": "pointerMove", "x": x, "y": y})

    async def click(self, x, y, count=1):
        await self.mouse("mouseMoved", x, y)
        await asyncio.sleep(0.15)
        press = [{"type": "pointerDown", "button": 0}, {"type": "pause", "duration": 40}, {"type": "pointerUp", "button": 0},
                 {"type": "pause", "duration": 40}]
        await self.act("pointer", *press * count)
        await asyncio.sleep(0.15)

    async def key(self, key, modifiers=0, commands=()):
        value = KEYS.get(key, key)
        pressed = [{"type": "keyDown", "value": value}, {"type": "pause", "duration": 40}, {"type": "keyUp", "value": value}]
        if modifiers & CTRL:
            pressed = [{"type": "keyDown", "value": CONTROL}, *pressed, {"type": "keyUp", "value": CONTROL}]
        await self.act("key", *pressed)
        await asyncio.sleep(0.15)

    async def write(self, text):
        for letter in text:
            await self.act("key", {"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter})
        await asyncio.sleep(0.3)

    async def picture(self, file):
        await asyncio.sleep(0.4)
        data = (await self.send("browsingContext.captureScreenshot", context=self.context))["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))
