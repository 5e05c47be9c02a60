"""The page in Chromium, by pointer, key and finger; and the command line in node, byte for byte beside the desktop's.

page.py [NAME...]: all of it, or the tests of these names. Pictures are left in build/web/pictures, to be looked at.
"""
import asyncio
import concurrent.futures
import contextlib
import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import traceback

from browser import CTRL, Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE, PICTURES = ROOT / "build/web/site", ROOT / "build/web/pictures"
NATIVE = pathlib.Path(os.environ.get("HEADCOUNT", ROOT / "build/release/headcount"))
VIEWS = ["explore", "compare", "costs", "what-if", "run", "train", "worksheet", "claims"]
CONFIG = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "intermediate_size": 128,
          "num_attention_heads": 4, "num_hidden_layers": 3, "vocab_size": 1000, "max_position_embeddings": 128}


@contextlib.contextmanager
def served():
    """The address of the site, from the server that `./run --web` has."""
    server = subprocess.Popen([sys.executable, ROOT / "app/shell/page/serve.py", SITE, "0"], stderr=subprocess.PIPE,
                              text=True)
    try:
        yield server.stderr.readline().split()[1]
    finally:
        server.terminate()
        server.wait()


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def plainly_served():
    """The same from a server that sends no headers of its own, and a function that ends it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ended = []

    def end():
        if not ended:
            ended.append(True)
            server.shutdown()
            server.server_close()
    try:
        yield f"http://localhost:{server.server_port}/", end
    finally:
        end()


async def shows_every_view_in_both_themes(address):
    async with Browser(media=[("prefers-color-scheme", "dark")]) as page:
        first = await page.open(address)
        print(f"    first picture after {first:.2f} s", end="")
        await page.open(address)
        print(f", again {await page.drawn():.2f} s")
        assert "welcome.open" in (await page.report())["rects"] or (await page.report())["workspace"] == "explore"
        for theme in ("dark", "light"):
            for number, view in enumerate(VIEWS):
                await page.press(f"topbar.view.{number}")
                await page.shows(view, lambda r: r["workspace"] == view and r["rests"])
                await page.picture(PICTURES / f"{view}-{theme}.png")
            await page.press("topbar.view.0")
            await page.shows("explore", lambda r: r["workspace"] == "explore")
            await page.key("t")
            other = "light" if theme == "dark" else "dark"
            await page.shows(other, lambda r: r["theme"] == other)


async def zooms_goes_in_and_undoes(address):
    async with Browser() as page:
        await page.open(address + "?argument=llama-2-7b")
        x, y = await page.middle("canvas.block.layer.feed_forward")
        before = (await page.report())["rects"]["canvas.block.layer.feed_forward"]
        await page.mouse("mouseMoved", x, y)
        for _ in range(3):
            await page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100)
        await page.shows("a larger block", lambda r: r["rects"].get("canvas.block.layer.feed_forward", before)[3] -
                         r["rects"].get("canvas.block.layer.feed_forward", before)[1] > 1.2 * (before[3] - before[1]))
        await page.key("f")
        await page.shows("all of it", lambda r: r["rests"])
        await page.click(*await page.middle("canvas.block.layer.feed_forward"), count=2)
        await page.shows("the block", lambda r: r["canvas"]["place"] == "layer.feed_forward")
        await page.key("k", CTRL)
        await page.shows("the ask bar", lambda r: "panel.ask" in r["rects"])
        await page.write("what is a head")
        await page.picture(PICTURES / "ask.png")
        await page.key("Escape")
        await page.key("F2")
        await page.picture(PICTURES / "tours.png")
        await page.key("Escape")


async def opens_what_is_dropped_and_picked(address):
    async with Browser() as page:
        await page.open(address)
        dropped, picked = page.folder / "my-model.json", page.folder / "another.json"
        dropped.write_text(json.dumps(CONFIG))
        picked.write_text(json.dumps({**CONFIG, "num_hidden_layers": 5}))
        data = {"items": [], "files": [str(dropped)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            await page.send("Input.dispatchDragEvent", type=kind, x=600, y=400, data=data)
        report = await page.shows("my-model", lambda r: r["name"] == "my-model")
        assert report["fields"]["layers"] == 3, report["fields"]
        await page.send("Page.setInterceptFileChooserDialog", enabled=True)
        await page.key("o", CTRL)
        await page.until("the picker", lambda: page.evaluate("!!Module.picker"))
        chosen = await page.until("the chooser", functools.partial(found, page, "Page.fileChooserOpened"))
        await page.send("DOM.setFileInputFiles", files=[str(picked)], backendNodeId=chosen["backendNodeId"])
        await page.shows("another", lambda r: r["name"] == "another" and r["fields"]["layers"] == 5)


async def found(page, method):
    return next((each["params"] for each in page.events if each["method"] == method), None)


async def saves_as_a_download(address):
    async with Browser() as page:
        await page.open(address + "?argument=llama-2-7b")
        await page.shows("the model", lambda r: r["name"] == "Llama 2 7B")
        await page.key("s", CTRL)
        await page.shows("the dialog", lambda r: "panel.files" in r["rects"] and r["rests"])
        await page.picture(PICTURES / "save.png")
        await page.key("Enter")

        async def downloaded():
            return next(page.folder.glob("*.headcount"), None)
        file = await page.until("a download", downloaded)
        counted = subprocess.run([NATIVE, "count", file], capture_output=True, text=True, check=True).stdout
        assert "6,738,415,616" in counted, counted


async def copies_and_pastes(address):
    async with Browser() as page:
        await page.open(address + "?argument=llama-2-7b")
        await page.click(*await page.middle("canvas.layer.attention.query.weight"))
        await page.shows("a selection", lambda r: r["selection"])
        await page.key("c", CTRL)
        await page.until("the number", functools.partial(clipboard_is, page, "16,777,216"))
        await page.evaluate("navigator.clipboard.writeText('gpt2')")
        await page.key("k", CTRL)
        await page.key("v", CTRL, commands=["paste"])
        await page.until("what is pasted", lambda: page.evaluate("Module.pasted === 'gpt2'"))
        await page.picture(PICTURES / "pasted.png")
        await page.key("Enter")
        await page.shows("GPT-2", lambda r: r["name"].startswith("GPT-2"))


async def clipboard_is(page, text):
    return text in await page.evaluate("navigator.clipboard.readText()")


async def shares_its_own_address(address):
    async with Browser() as page:
        await page.open(address + "#v=1&m=gpt2&view=costs&devices=2")
        await page.shows("the link", lambda r: r["preset"] == "gpt2" and r["workspace"] == "costs")
        await page.key("l", CTRL)
        report = await page.shows("the dialog", lambda r: r["link"])
        assert report["link"] == address + "#v=1&m=gpt2&view=costs&devices=2", report["link"]
        await page.picture(PICTURES / "share.png")


async def trains_with_threads(address):
    async with Browser() as page:
        await page.open(address + "#v=1&m=gpt2&view=train")
        await page.shows("first weights", lambda r: r["train"] and r["train"]["begun"], 60)
        await page.press("train.step")
        await page.shows("a step", lambda r: r["train"] and r["train"]["steps"] == 1, 60)


async def runs_with_threads(address):
    async with Browser() as page:
        await page.open(address + "?argument=tiny-stories")
        await page.press("topbar.view.4")
        report = await page.shows("the run", lambda r: r.get("run") and r["run"]["next"] is not None and r["rests"], 60)
        await page.picture(PICTURES / "run-first.png")
        before = len(report["run"]["ids"])
        await page.press("run.step")
        await page.shows("another token", lambda r: len(r["run"]["ids"]) > before)


async def keeps_what_was_done(address):
    async with Browser() as page:
        await page.open(address)
        await page.press("topbar.view.2")
        before = (await page.shows("costs", lambda r: r["workspace"] == "costs" and r["rests"]))["theme"]
        await page.key("t")
        theme = (await page.shows("another theme", lambda r: r["theme"] != before))["theme"]
        await asyncio.sleep(3)  # it is saved at rest
        await page.open(address)
        await page.shows("as it was left", lambda r: r["workspace"] == "costs" and r["theme"] == theme)


async def follows_the_screen_and_the_system(address):
    async with Browser(media=[("prefers-color-scheme", "light"), ("prefers-reduced-motion", "reduce")]) as page:
        await page.size(900, 700, density=2)
        await page.open(address + "?argument=llama-2-7b")
        report = await page.shows("the system's look", lambda r: r["theme"] == "light")
        assert report["canvas"]["reduced_motion"], report["canvas"]
        assert await page.evaluate("[canvas.width, canvas.height, canvas.clientWidth].join()") == "1800,1400,900"
        await page.press("topbar.view.2")
        await page.shows("costs at twice the dots", lambda r: r["workspace"] == "costs")
        await page.picture(PICTURES / "dense.png")
        await page.size(1400, 800)
        await page.until("the new size", lambda: page.evaluate("canvas.width === 1400 && canvas.height === 800"))
        await page.press("topbar.view.0")
        await page.shows("explore at the new size", lambda r: r["workspace"] == "explore")
        await page.picture(PICTURES / "resized.png")


async def obeys_fingers(address):
    async with Browser() as page:
        await page.size(1024, 768, density=2, touch=True)
        await page.open(address + "?argument=llama-2-7b")
        name = "canvas.block.layer.feed_forward"
        x, y = await page.middle(name)
        before = (await page.report())["rects"][name]
        await page.fingers("touchStart", (x - 20, y), (x + 20, y))
        for step in range(1, 11):
            await page.fingers("touchMove", (x - 20 - 12 * step, y), (x + 20 + 12 * step, y))
        await page.fingers("touchEnd")
        await page.shows("a larger block", lambda r: name not in r["rects"] or
                         r["rects"][name][3] - r["rects"][name][1] > 1.2 * (before[3] - before[1]))
        x, y = await page.middle("topbar.view.2")
        await page.fingers("touchStart", (x, y))
        await asyncio.sleep(0.1)
        await page.fingers("touchEnd")
        await page.shows("costs", lambda r: r["workspace"] == "costs")
        await page.size(412, 915, density=2, touch=True)
        await page.picture(PICTURES / "phone.png")


async def says_what_it_shows(address):
    async with Browser() as page:
        await page.open(address + "?argument=llama-2-7b")
        await page.click(*await page.middle("canvas.layer.attention.query.weight"))
        await page.shows("a selection", lambda r: r["selection"])
        words = await page.until("the words", lambda: page.evaluate(
            "said.textContent.includes('selected') && said.textContent"))
        assert "Llama 2 7B, 6,738,415,616 parameters" in words, words


async def says_what_is_wrong(address):
    async with Browser() as page:
        await page.send("Page.navigate", url=address + "?argument=no-such-model")
        words = await page.until("the sentence", lambda: page.evaluate(
            "document.getElementById('failed')?.textContent"))
        assert "no command, preset or file: no-such-model" in words, words
        await page.open(address + "?argument=llama-2-7b")
        await page.evaluate("Module.ctx.getExtension('WEBGL_lose_context').loseContext()")
        await page.until("a sentence on lost graphics", lambda: page.evaluate(
            "document.getElementById('failed').textContent.includes('graphics')"))


async def needs_no_headers_and_no_network(_):
    with plainly_served() as (address, end):
        async with Browser() as page:
            await page.open(address)
            assert await page.evaluate("crossOriginIsolated")
            await page.open(address)
            end()
            print(f"    without a network after {await page.open(address):.2f} s")
            await page.shows("the page", lambda r: r["workspace"] == "explore")


async def counts_in_node_as_on_the_desktop(_):
    listed = json.loads(subprocess.run([NATIVE, "presets", "--json"], capture_output=True, check=True).stdout)
    presets = [preset["id"] for preset in (listed["presets"] if isinstance(listed, dict) else listed)]
    assert len(presets) > 100, presets
    commands = [["count"], ["memory", "--tokens", "100"], ["tensors", "--json"], ["tree"],
                ["compute", "--tokens", "100"]]
    asked = [[command[0], preset, *command[1:]] for number, preset in enumerate(presets)
             for command in [commands[number % len(commands)]]]
    environment = {"HEADCOUNT_ASSETS": str(ROOT / "assets"), "PATH": os.environ["PATH"], "HOME": "/"}

    def differs(arguments):
        native = subprocess.run([NATIVE, *arguments], capture_output=True, env=environment)
        node = subprocess.run(["node", ROOT / "build/web/headcount_node.js", *arguments], capture_output=True,
                              env=environment)
        same = node.stdout == native.stdout and node.returncode == native.returncode
        return None if same else (arguments, node.returncode, node.stdout[-300:], node.stderr[-300:])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [each for each in pool.map(differs, asked) if each]
    assert not wrong, (len(wrong), wrong[0])
    print(f"    {len(asked)} commands")


TESTS = [shows_every_view_in_both_themes, zooms_goes_in_and_undoes, opens_what_is_dropped_and_picked,
         saves_as_a_download, copies_and_pastes, shares_its_own_address, runs_with_threads, trains_with_threads, keeps_what_was_done,
         follows_the_screen_and_the_system, obeys_fingers, says_what_it_shows, says_what_is_wrong,
         needs_no_headers_and_no_network, counts_in_node_as_on_the_desktop]


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    failed = 0
    tests = [test for test in TESTS if not sys.argv[1:] or test.__name__ in sys.argv[1:]]
    with served() as address:
        for test in tests:
            begun = time.monotonic()
            try:
                asyncio.run(test(address))
                print(f"passed  {test.__name__} ({time.monotonic() - begun:.0f} s)", flush=True)
            except Exception:
                failed += 1
                traceback.print_exc()
                print(f"FAILED  {test.__name__}", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


main()
