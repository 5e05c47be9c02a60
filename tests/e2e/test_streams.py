# What a command writes to standard output: a file alone where one goes there, and else what it says.
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from display import HANG_SECONDS
from harness import private_environment, program_path

RUN = ("run", "tiny-stories", "--prompt", "Once", "--tokens", "2")


class Streams(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_once(self, *arguments, **streams):
        environment = private_environment({"PATH": os.environ["PATH"]}, self.folder)
        return subprocess.run([program_path(), *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              timeout=HANG_SECONDS, **(streams or {"capture_output": True}))

    def is_dump(self, written):
        length = int.from_bytes(written[:8], "little")
        header = json.loads(written[8:8 + length])
        end = max(tensor["data_offsets"][1] for tensor in header.values())
        self.assertEqual(len(written), 8 + length + end, "the dump, and nothing else")
        self.assertIn("logits", header)

    def test_a_configuration_comes_on_standard_input(self):
        config = json.dumps({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
                             "num_attention_heads": 4, "vocab_size": 100})
        (self.folder / "stdin").mkdir()
        (self.folder / "stdin" / "config.json").write_text(config)
        environment = private_environment({"PATH": os.environ["PATH"]}, self.folder)

        def piped(text, *words):
            return subprocess.run([program_path(), *words], cwd=self.folder, env=environment, input=text, text=True,
                                  capture_output=True, timeout=HANG_SECONDS)
        for words in (("count", "-", "--json"), ("memory", "-", "--tokens", "100", "--json"), ("tensors", "-"),
                      ("compare", "gpt2", "-", "--json"), ("sweep", "gpt2", "-", "--vary", "layers=1..3"),
                      ("ask", "-", "total"), ("render", "-", "--format", "svg", "-o", "-")):
            with self.subTest(words):
                done = piped(config, *words)
                named = self.run_once(*("stdin/config.json" if word == "-" and words[at - 1] != "-o" else word
                                        for at, word in enumerate(words))).stdout.decode()
                self.assertEqual((done.returncode, done.stdout), (0, named), done.stderr)
        saved = self.run_once("export", "gpt2", "--format", "json", "-o", "/dev/stdout").stdout.decode()
        self.assertIn("124,439,808", piped(saved, "count", "-").stdout)
        for text, words, says in (("", ("count", "-"), "nothing came on standard input: -"),
                                  (config, ("compare", "-", "-"), "nothing came on standard input: B, -"),
                                  ("{", ("count", "-"), ": -"), ("[]", ("count", "-"), "a JSON object was expected"),
                                  ('{"weight_map": {}}', ("count", "-"), "name the file itself"),
                                  ('{"a": "' + "x" * (8 << 20) + '"}', ("count", "-"), "more than 8 MiB"),
                                  (config, ("run", "-", "--prompt", "a"), "no weights"),
                                  ("", ("train", "gpt2", "--task", "text", "-o", "-"), "saved in a folder")):
            with self.subTest(words, says=says):
                done = piped(text, *words)
                self.assertEqual(done.returncode, 2 if words[0] == "train" else 1)
                self.assertIn(says, done.stderr)

    def test_text_beside_a_dump_on_standard_output_goes_to_standard_error(self):
        said = self.run_once(*RUN).stdout
        for target in ("/dev/stdout", "/dev/fd/1", "-"):
            with self.subTest(target):
                done = self.run_once(*RUN, "--dump", target)
                self.assertEqual((done.returncode, done.stderr), (0, said))
                self.is_dump(done.stdout)
        done = self.run_once(*RUN, "--json", "--dump", "/dev/stdout")
        self.assertEqual(json.loads(done.stderr)["prompt_ids"], json.loads(self.run_once(*RUN, "--json").stdout)["prompt_ids"])
        self.is_dump(done.stdout)

    def test_a_dump_into_a_file_leaves_the_text_on_standard_output(self):
        done = self.run_once(*RUN, "--dump", "dump.safetensors")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, self.run_once(*RUN).stdout, b""))
        self.is_dump((self.folder / "dump.safetensors").read_bytes())

    def test_every_writing_command_writes_to_standard_output_where_the_format_is_said(self):
        for words, format, begin in ((("export", "gpt2"), "json", b"{"), (("export", "gpt2"), "csv", b"# GPT-2 small"),
                                     (("render", "gpt2"), "svg", b"<?xml"), (("render", "gpt2"), "png", b"\x89PNG"),
                                     (("worksheet", "export", "1-one-head"), "md", b"# ")):
            with self.subTest(words=words, format=format):
                refused = self.run_once(*words, "-o", "/dev/stdout") if words[0] != "worksheet" else None
                if refused:
                    self.assertEqual((refused.returncode, refused.stdout), (2, b""))
                    self.assertIn(b"standard output has no ending that says a format: -o: give --format", refused.stderr)
                done = self.run_once(*words, "--format", format, "-o", "/dev/stdout")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertTrue(done.stdout.startswith(begin), done.stdout[:40])
                self.assertNotIn(b"wrote", done.stdout)
                dash = self.run_once(*words, "--format", format, "-o", "-")
                self.assertEqual((dash.returncode, dash.stdout[:20], dash.stderr), (0, done.stdout[:20], b""))
                self.assertEqual(list(self.folder.glob("-*")), [])
                if format == "svg":
                    ElementTree.fromstring(done.stdout)

    def test_every_writing_command_says_where_it_wrote(self):
        for words, name in ((("export", "gpt2"), "x.csv"), (("render", "gpt2"), "x.svg"), (("render", "gpt2"), "x.png"),
                            (("worksheet", "export", "1-one-head"), "x.md")):
            with self.subTest(words=words, name=name):
                done = self.run_once(*words, "-o", name)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"wrote {name}\n".encode(), b""))


if __name__ == "__main__":
    unittest.main()
