# The examples of README.md: what it says that a command prints, the command prints.
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from display import HANG_SECONDS
from harness import ROOT, private_environment, program_path

README = ROOT / "README.md"
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


class Readme(unittest.TestCase):
    def test_commands_print_what_it_says(self):
        blocks = list(examples(README.read_text(encoding="utf-8")))
        self.assertGreater(len(blocks), 5)
        for block in blocks:
            with tempfile.TemporaryDirectory() as folder:
                environment = private_environment(os.environ, pathlib.Path(folder))
                for command, said in block:
                    with self.subTest(command):
                        done = subprocess.run([program_path(), *shlex.split(command)], cwd=folder, env=environment,
                                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                              stderr=subprocess.STDOUT, encoding="utf-8", timeout=HANG_SECONDS)
                        printed = "\n".join(line.rstrip() for line in done.stdout.splitlines())
                        matches = re.fullmatch(pattern(said), printed, re.DOTALL)
                        self.assertTrue(matches, f"README says:\n{os.linesep.join(said)}\nit prints:\n{printed}")

    def test_the_files_that_it_shows_exist(self):
        links = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
        files = [link for link in links if "://" not in link]
        self.assertTrue(files)
        for link in files:
            self.assertTrue((ROOT / link).is_file(), link)


if __name__ == "__main__":
    unittest.main()
