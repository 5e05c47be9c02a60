"""Debian's WebKit in its smallest browser, on a display of its own, spoken to by WebDriver: as browser.py's Chromium."""
import asyncio
import base64
import glob
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from firefox import Display, Firefox


class WebKit(Firefox):
    program = shutil.which("WebKitWebDriver")
    name = "WebKit"

    async def __aenter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headcount-web-"))
        self.display = Display(1600, 1200)
        environment = dict(self.display.environment(), HOME=str(self.folder), XDG_DATA_HOME=str(self.folder / "data"),
                           XDG_CACHE_HOME=str(self.folder / "cache"),
                           JSC_useSharedArrayBuffer="1")  # as Safari has it on a page that is isolated
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.process = subprocess.Popen([self.program, f"--port={port}"], env=environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")[0], "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        end = time.monotonic() + 60
        while True:
            try:
                self.address += "/" + (await self.ask("POST", "", wanted))["sessionId"]
                break
            except urllib.error.URLError as error:
                if isinstance(error, urllib.error.HTTPError) or time.monotonic() > end:
                    raise
                await asyncio.sleep(0.2)
        await self.ask("POST", "/timeouts", {"script": 120000, "pageLoad": 120000})
        await self.size(1280, 720)
        return self

    async def __aexit__(self, *_):
        try:
            await self.ask("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()
            self.display.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    async def ask(self, method, path, body=None):
        def asked():
            data = json.dumps(body).encode() if body is not None else None
            request = urllib.request.Request(self.address + path, data, method=method)
            try:
                with urllib.request.urlopen(request, timeout=120) as answer:
                    return json.load(answer)["value"]
            except urllib.error.HTTPError as error:
                raise AssertionError(f"{method} {path}: {error.read().decode()[:500]}") from None
        return await asyncio.to_thread(asked)

    def console(self):
        return []

    async def go(self, address):
        await self.ask("POST", "/url", {"url": address})

    async def evaluate(self, expression, context=None):
        text = await self.ask("POST", "/execute/sync", {"args": [], "script":
                              f"return (async () => JSON.stringify((await ({expression})) ?? null))()"})
        return json.loads(text)

    async def size(self, width, height, density=1, touch=False):
        """The page's, which the browser's window is larger than."""
        self.density = density
        rect = {"x": 0, "y": 0, "width": width, "height": height}
        await self.ask("POST", "/window/rect", rect)
        inner = await self.evaluate("[innerWidth, innerHeight]")
        await self.ask("POST", "/window/rect", {**rect, "width": 2 * width - inner[0], "height": 2 * height - inner[1]})

    async def perform(self, actions):
        await self.ask("POST", "/actions", {"actions": actions})

    async def picture(self, file):
        await asyncio.sleep(0.4)
        pathlib.Path(file).write_bytes(base64.b64decode(await self.ask("GET", "/screenshot")))
