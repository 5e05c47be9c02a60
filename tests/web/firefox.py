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

from browser import CTRL, SHIFT, Page

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from display import Display  # noqa: E402

KEYS = {"Enter": "\ue007", "Backspace": "\ue003", "Escape": "\ue00c", "Tab": "\ue004", "PageDown": "\ue00f", "F1": "\ue031", "F2": "\ue032",
        "F5": "\ue035"}
HELD = {CTRL: "\ue009", SHIFT: "\ue008"}
PREFERENCES = {
    "webgl.force-enabled": True, "gfx.webrender.software": True, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False, "browser.startup.homepage_override.mstone": "ignore", "toolkit.telemetry.enabled": False,
    "dom.events.testing.asyncClipboard": True, "browser.download.folderList": 2,
    "dom.w3c_touch_events.enabled": 1, "browser.download.useDownloadDir": True, "browser.download.always_ask_before_handling_new_types": False,
}


class Firefox(Page):
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    name = "Firefox"

    async def __aenter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headcount-web-"))
        profile = self.folder / "profile"
        profile.mkdir()
        wanted = dict(PREFERENCES, **{"browser.download.dir": str(self.folder)})
        wanted["browser.privatebrowsing.autostart"] = self.private
        wanted["javascript.options.wasm_baselinejit"] = not self.warm
        wanted["network.cookie.cookieBehavior"] = 5 if self.storage else 2
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
        await self.send("session.new", capabilities={"alwaysMatch": {"unhandledPromptBehavior": {"file": "ignore"}}})
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

    async def evaluate(self, expression, context=None):
        result = await self.send("script.evaluate", target={"context": context or self.context}, awaitPromise=True, userActivation=True,
                                 expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()")
        if result["type"] != "success":
            raise AssertionError(f"{expression}: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    async def size(self, width, height, density=1, touch=False):
        self.density = density
        await self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height},
                        devicePixelRatio=density)

    async def meant(self, keys):
        """The page, or the one in its frame, that keys or the pointer are for: the protocol does not look for it. No page
        here has two frames, and what is pressed lies in one that begins in the corner."""
        tree = (await self.send("browsingContext.getTree", root=self.context))["contexts"][0]
        while tree["children"]:
            if keys and await self.evaluate("document.activeElement?.tagName", tree["context"]) != "IFRAME":
                break
            tree = tree["children"][0]
        return tree["context"]

    async def perform(self, actions):
        await self.send("input.performActions", context=await self.meant(actions[0]["type"] == "key"), actions=actions)

    async def act(self, kind, *actions, **more):
        await self.perform([{"type": kind, "id": kind, "actions": list(actions), **more}])

    async def mouse(self, kind, x, y, deltaX=0, deltaY=0, **_):
        """Of buttons the left one."""
        x, y = round(x), round(y)
        presses = {"mousePressed": "pointerDown", "mouseReleased": "pointerUp"}
        if kind == "mouseWheel":
            await self.act("wheel", {"type": "scroll", "x": x, "y": y, "deltaX": deltaX, "deltaY": deltaY})
        elif kind in presses:
            await self.act("pointer", {"type": presses[kind], "button": 0})
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
        for modifier, held in HELD.items():
            if modifiers & modifier:
                pressed = [{"type": "keyDown", "value": held}, *pressed, {"type": "keyUp", "value": held}]
        await self.act("key", *pressed)
        await asyncio.sleep(0.15)

    async def write(self, text):
        for letter in text:
            await self.act("key", {"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter})
        await asyncio.sleep(0.3)

    async def fingers(self, kind, *points):
        """All of them; those that no longer touch are lifted."""
        self.touching = points or self.touching
        what = {"touchStart": [{"type": "pointerDown", "button": 0}], "touchEnd": [{"type": "pointerUp", "button": 0}]}
        actions = [{"type": "pointer", "id": f"finger {number}", "parameters": {"pointerType": "touch"},
                    "actions": [{"type": "pointerMove", "x": round(x), "y": round(y)}, *what.get(kind, [])]}
                   for number, (x, y) in enumerate(self.touching)]
        await self.perform(actions)
        await asyncio.sleep(0.03)

    async def before(self, script):
        """Runs it in every page that is opened from now on, before the page's own."""
        await self.send("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    async def compose(self, begun, text):
        """No protocol writes by an input method here: the same events, in the same order."""
        await self.evaluate(f"""(() => {{
            const field = document.activeElement, before = field.value;
            field.dispatchEvent(new CompositionEvent('compositionstart'));
            field.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Process', keyCode: 229, bubbles: true}}));
            field.value = before + {json.dumps(begun)};
            field.dispatchEvent(new InputEvent('input', {{isComposing: true, bubbles: true}}));
            field.value = before + {json.dumps(text)};
            field.dispatchEvent(new CompositionEvent('compositionend', {{data: {json.dumps(text)}}}));
            field.dispatchEvent(new InputEvent('input', {{bubbles: true}}));
        }})()""")
        await asyncio.sleep(0.2)

    async def drop(self, file, x, y):
        """No protocol drags a file in from outside: the event that the page would get."""
        await self.evaluate(f"""(() => {{
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([{json.dumps(pathlib.Path(file).read_text())}], {json.dumps(file.name)}));
            for (const kind of ['dragenter', 'dragover', 'drop'])
                canvas.dispatchEvent(new DragEvent(kind, {{dataTransfer, clientX: {x}, clientY: {y}, bubbles: true,
                    cancelable: true}}));
        }})()""")

    async def choose(self, file, ask):
        """As in the browser's own dialog, after `ask` made the page open it."""
        await ask()
        await self.until("the dialog", lambda: self.evaluate("!!Module.picker"))
        found = await self.send("script.evaluate", target={"context": self.context}, awaitPromise=False,
                                expression="Module.picker")
        await self.send("input.setFiles", context=self.context, files=[str(file)],
                        element={"sharedId": found["result"]["sharedId"]})

    async def picture(self, file):
        await asyncio.sleep(0.4)
        data = (await self.send("browsingContext.captureScreenshot", context=self.context))["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))
