# What `cmake --install` puts where: a program that needs nothing of the tree that it was built from.
import os
import pathlib
import subprocess
import tempfile
import unittest

from display import HANG_SECONDS
from harness import private_environment, program_path


class Install(unittest.TestCase):
    def test_the_program_comes_with_its_data_manual_and_completions(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / "installed"
            subprocess.run(["cmake", "--install", pathlib.Path(program_path()).parent, "--prefix", root], check=True,
                           stdout=subprocess.DEVNULL, timeout=HANG_SECONDS)
            files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
            for name in ("share/man/man1/headcount.1.gz", "share/bash-completion/completions/headcount",
                         "share/fish/vendor_completions.d/headcount.fish",
                         "share/applications/headcount.desktop"):
                self.assertIn(name, files)
            self.assertTrue(any(name.startswith("share/zsh/") and name.endswith("/_headcount") for name in files))
            environment = private_environment(os.environ, pathlib.Path(folder))
            said = [subprocess.run([program, "count", "llama-2-7b"], cwd=folder, env=environment, check=True,
                                   stdout=subprocess.PIPE, timeout=HANG_SECONDS).stdout
                    for program in (root / "bin" / "headcount", program_path())]
            self.assertEqual(said[0], said[1])
            manual = subprocess.run(["gzip", "-dc", root / "share/man/man1/headcount.1.gz"], check=True,
                                    stdout=subprocess.PIPE, timeout=HANG_SECONDS).stdout
            written = subprocess.run([program_path(), "manual"], env=environment, check=True,
                                     stdout=subprocess.PIPE, timeout=HANG_SECONDS).stdout
            self.assertEqual(manual, written)


if __name__ == "__main__":
    unittest.main()
