"""A headless Chromium, spoken to by its own protocol: a page in it, its pointer, keys and fingers, and what it shows."""
import asyncio
import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websockets

CTRL, SHIFT = 2, 8
CODES = {"Enter": 13, "Backspace": 8, "Escape": 27, "Tab": 9, "PageDown": 34, "F1": 112, "F2": 113, "F5": 116}

HELD = {CTRL: {"key": "Control", "code": "ControlLeft", "windowsVirtualKeyCode": 17},
        SHIFT: {"key": "Shift", "code": "ShiftLeft", "windowsVirtualKeyCode": 16}}


class Page:
    """`async with Chromium() as page`: a window of its own, with nothing saved. `media`: what the system prefers;
    `private`: of those windows that keep nothing; `storage`: whether pages may keep something meanwhile; `warm`: what is
    called is compiled at once as it is after a second of use."""

    def __init__(self, media=(), private=False, storage=True, warm=False):
        self.media, self.private, self.storage, self.warm = media, private, storage, warm
        self.number, self.answers, self.events = 0, {}, []

    async def __aexit__(self, *_):
        self.reader.cancel()
        await self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def read(self):
        async for text in self.socket:
            message = json.loads(text)
            if message.get("id") is not None:
                self.answers.pop(message["id"]).set_result(message)
            else:
                self.events.append(message)

    async def send(self, method, **parameters):
        self.number += 1
        answer = self.answers[self.number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        message = await asyncio.wait_for(answer, 120)
        if failure := self.failure(message):
            raise AssertionError(f"{method}: {failure}")
        return message["result"]

    async def until(self, what, asked, seconds=30):
        """What `asked` gives, as soon as that is something."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if answer := await asked():
                return answer
            await asyncio.sleep(0.1)
        raise AssertionError(f"not within {seconds} s: {what}. The console: {self.console()[-5:]}")

    async def open(self, address, seconds=60):
        """Opens the page and waits for its first picture. Returns after how many seconds that was there."""
        await self.go(address)
        return await self.drawn(seconds)

    async def drawn(self, seconds=60):
        first = await self.until("a first picture", lambda: self.evaluate(
            "typeof Module === 'undefined' ? 0 : Module.firstFrame || 0"), seconds)
        await self.until("a report", self.report)
        return first / 1000

    async def report(self):
        """What the program says of itself (`--report-ui`), or nothing while there is none."""
        text = await self.evaluate("(() => { try { return Module.FS.readFile('/tmp/report.json', {encoding: 'utf8'}); }"
                                   " catch { return ''; } })()")
        return json.loads(text) if text else None

    async def shows(self, what, holds, seconds=30):
        """The report, as soon as it is so."""
        async def asked():
            report = await self.report()
            return report if report and holds(report) else None
        return await self.until(what, asked, seconds)

    async def middle(self, name):
        left, top, right, bottom = (await self.shows(name, lambda r: name in r["rects"]))["rects"][name]
        return (left + right) / 2 / self.density, (top + bottom) / 2 / self.density

    async def press(self, name):
        await self.click(*await self.middle(name))


class Chromium(Page):
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    name = "Chromium"

    async def __aenter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headcount-web-"))
        if not self.storage:
            (self.folder / "profile/Default").mkdir(parents=True)
            (self.folder / "profile/Default/Preferences").write_text(json.dumps(
                {"profile": {"default_content_setting_values": {"cookies": 2}}}))
        self.process = subprocess.Popen(
            [self.program, *["--incognito"] * self.private, *["--js-flags=--no-liftoff"] * self.warm, "--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--no-first-run", f"--user-data-dir={self.folder / 'profile'}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = self.folder / "profile" / "DevToolsActivePort"
        for _ in range(600):
            if port_file.exists() and port_file.read_text().count("\n"):
                break
            await asyncio.sleep(0.1)
        port = port_file.read_text().split()[0]
        targets = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        address = next(each["webSocketDebuggerUrl"] for each in targets if each["type"] == "page")
        self.socket = await websockets.connect(address, max_size=None, ping_interval=None)
        self.reader = asyncio.create_task(self.read())
        for domain in ("Page", "Runtime", "DOM"):
            await self.send(domain + ".enable")
        await self.size(1280, 720)
        if self.media:
            await self.send("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in self.media])
        await self.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        await self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        return self

    def failure(self, message):
        return message.get("error", {}).get("message")

    async def go(self, address):
        await self.send("Page.navigate", url=address)

    async def evaluate(self, expression):
        result = await self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True,
                                 userGesture=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    async def size(self, width, height, density=1, touch=False):
        self.density = density
        await self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density,
                        mobile=touch)
        if touch:
            await self.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)

    def console(self):
        return [" ".join(str(each.get("value", "")) for each in event["params"]["args"])
                for event in self.events if event["method"] == "Runtime.consoleAPICalled"]

    async def mouse(self, kind, x, y, **more):
        await self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    async def click(self, x, y, count=1):
        await self.mouse("mouseMoved", x, y)
        await asyncio.sleep(0.15)
        for number in range(1, count + 1):
            await self.mouse("mousePressed", x, y, button="left", clickCount=number)
            await self.mouse("mouseReleased", x, y, button="left", clickCount=number)
        await asyncio.sleep(0.15)

    async def key(self, key, modifiers=0, commands=()):
        code = CODES.get(key) or ord(key.upper())
        named = key if len(key) > 1 else ("Digit" if key.isdigit() else "Key") + key.upper()
        more = {"key": key, "code": named, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        text = {"text": key} if len(key) == 1 and not modifiers & CTRL else {}
        holds = [held for modifier, held in HELD.items() if modifiers & modifier]
        for held in holds:
            await self.send("Input.dispatchKeyEvent", type="rawKeyDown", **held)
        await self.send("Input.dispatchKeyEvent", type="keyDown", commands=list(commands), **text, **more)
        await asyncio.sleep(0.05)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **more)
        for held in holds:
            await self.send("Input.dispatchKeyEvent", type="keyUp", **held)
        await asyncio.sleep(0.15)

    async def write(self, text):
        for letter in text:
            await self.send("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter,
                            windowsVirtualKeyCode=ord(letter.upper()))
            await self.send("Input.dispatchKeyEvent", type="keyUp", key=letter, windowsVirtualKeyCode=ord(letter.upper()))
        await asyncio.sleep(0.3)

    async def before(self, script):
        """Runs it in every page that is opened from now on, before the page's own."""
        await self.send("Page.addScriptToEvaluateOnNewDocument", source=script)

    async def compose(self, begun, text):
        """As somebody does who writes by an input method: `begun` is in sight first, then there is `text`."""
        await self.send("Input.imeSetComposition", text=begun, selectionStart=len(begun), selectionEnd=len(begun))
        await asyncio.sleep(0.2)
        await self.send("Input.insertText", text=text)
        await asyncio.sleep(0.2)

    async def drop(self, file, x, y):
        data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            await self.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    async def choose(self, file, ask):
        """In the browser's own dialog, after `ask` made the page open it."""
        await self.send("Page.setInterceptFileChooserDialog", enabled=True)
        await ask()

        async def opened():
            return next((each["params"] for each in self.events if each["method"] == "Page.fileChooserOpened"), None)
        chooser = await self.until("the dialog", opened)
        await self.send("DOM.setFileInputFiles", files=[str(file)], backendNodeId=chooser["backendNodeId"])

    async def fingers(self, kind, *points):
        await self.send("Input.dispatchTouchEvent", type=kind,
                        touchPoints=[{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)])
        await asyncio.sleep(0.03)

    async def picture(self, file):
        await asyncio.sleep(0.4)
        data = (await self.send("Page.captureScreenshot", format="png"))["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))
