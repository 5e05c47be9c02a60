# The examples of the pages: what they say that a command prints, the command prints; and their links lead somewhere.
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from display import HANG_SECONDS
from harness import ROOT, private_environment, program_path

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "THIRD_PARTY.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = "$ ./run "


def examples(text):
    """Each console block as a list of (command, what it is said to print)."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        found = []
        for line in block.splitlines():
            if line.startswith(COMMAND):
                found.append((line[len(COMMAND):], []))
            else:
                found[-1][1].append(line)
        yield found


def pattern(lines):
    """Three dots stand for any lines where they are a line of their own, else for the rest of a word or line."""
    parts = [".*?" if line == "..." else re.escape(line).replace(re.escape("..."), "[^\n]*") for line in lines]
    return "\n".join(parts)


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Pages(unittest.TestCase):
    def test_commands_print_what_the_pages_say(self):
        blocks = [(page, block) for page in PAGES for block in examples(page.read_text(encoding="utf-8"))]
        self.assertGreater(len(blocks), 5)
        for page, block in blocks:
            with tempfile.TemporaryDirectory() as folder:
                environment = private_environment(os.environ, pathlib.Path(folder))
                for command, said in block:
                    with self.subTest(command):
                        done = subprocess.run([program_path(), *shlex.split(command)], cwd=folder, env=environment,
                                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                              stderr=subprocess.STDOUT, encoding="utf-8", timeout=HANG_SECONDS)
                        printed = "\n".join(line.rstrip() for line in done.stdout.splitlines())
                        matches = re.fullmatch(pattern(said), printed, re.DOTALL)
                        self.assertTrue(matches,
                                        f"{page.name} says:\n{os.linesep.join(said)}\nit prints:\n{printed}")

    def test_links_lead_to_files_and_headings(self):
        for page in PAGES:
            for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
                if "://" in link:
                    continue
                name, _, anchor = link.partition("#")
                there = (page.parent / name).resolve() if name else page
                with self.subTest(page=page.name, link=link):
                    self.assertTrue(there.is_file(), "there is no such file")
                    if anchor:
                        self.assertIn(anchor, anchors(there))


if __name__ == "__main__":
    unittest.main()
