# The diagram as an SVG file, read as any other program reads it: it is XML, its words are text, its colours the theme's.
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from display import HANG_SECONDS
from harness import private_environment, program_path

SVG = "{http://www.w3.org/2000/svg}"


class Svg(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def render(self, *arguments, name="x.svg"):
        # No display, and no OpenGL that could be found: neither is needed.
        environment = private_environment({"PATH": os.environ["PATH"]}, self.folder)
        return subprocess.run([program_path(), "render", *arguments, "-o", name], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=HANG_SECONDS)

    def picture(self, *arguments):
        done = self.render(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "wrote x.svg\n", ""))
        return ElementTree.parse(self.folder / "x.svg").getroot()

    @staticmethod
    def texts(root):
        return {"".join(text.itertext()) for text in root.iter(SVG + "text")}

    @staticmethod
    def colours(root):
        return {element.get(name) for element in root.iter() for name in ("fill", "stroke")}

    @staticmethod
    def ids(root):
        return {element.get("data-id") for element in root.iter(SVG + "g")}

    def test_the_model_has_its_words_and_the_colours_of_the_theme(self):
        dark = self.picture("llama-2-7b", "--size", "1200x800")
        self.assertEqual(dark.tag, SVG + "svg")
        self.assertEqual((dark.get("width"), dark.get("height")), ("1200", "800"))
        self.assertEqual(dark.find(SVG + "title").text, "Llama 2 7B")
        self.assertIn("6,738,415,616", dark.find(SVG + "desc").text)
        texts = self.texts(dark)
        for text in ("4096 × 11008", "32000 × 4096", "16,777,216", "Wgate", "Wq", "Attention", "Output head"):
            self.assertIn(text, texts)
        for thing in ("embedding.weight", "layer.attention.query.weight", "layer.feed_forward.down.weight", "layer",
                      "component.attention", "logits"):
            self.assertIn(thing, self.ids(dark))
        self.assertFalse([element for element in dark.iter() if element.tag == SVG + "image"], "nothing is pixels")
        light = self.picture("llama-2-7b", "--size", "1200x800", "--theme", "light")
        self.assertEqual(self.texts(light), texts)
        self.assertIn("#0e1014", self.colours(dark))
        self.assertNotIn("#0e1014", self.colours(light))
        self.assertNotEqual(self.colours(light), self.colours(dark))

    def test_a_head_has_its_triangle_and_its_number(self):
        head = self.picture("llama-2-7b", "--at", "layer.attention.head:3", "--tokens", "8")
        self.assertIn("layer.attention.head.scores", self.ids(head))
        self.assertTrue([text for text in self.texts(head) if text.startswith("Head 3")], self.texts(head))
        scores = [group for group in head.iter(SVG + "g") if group.get("data-id") == "layer.attention.head.scores"]
        stairs = [path.get("d") for group in scores for path in group.iter(SVG + "path") if path.get("fill") != "none"]
        self.assertTrue([path for path in stairs if path.count("H") >= 8], stairs)

    def test_a_cell_is_named(self):
        self.assertIn("Wq[5, 17]", self.texts(self.picture("llama-2-7b", "--at", "layer.attention.query.weight[5,17]")))

    def test_what_was_changed_and_selected_is_seen(self):
        plain = self.picture("gpt2")
        changed = self.picture("gpt2", "--set", "ffn_dim=4096", "--select", "layer.feed_forward.up.weight")
        self.assertFalse([path for path in plain.iter(SVG + "path")
                          if path.get("stroke-dasharray") and path.get("stroke") == "#ffffff"])
        self.assertTrue([path for path in changed.iter(SVG + "path") if path.get("stroke-dasharray")])
        self.assertIn("768 × 4096", self.texts(changed))
        self.assertNotEqual(self.texts(plain), self.texts(self.picture("gpt2", "--tokens", "7")))

    def test_the_same_is_written_each_time_and_perspective_is_refused(self):
        self.picture("gpt2")
        first = (self.folder / "x.svg").read_bytes()
        self.picture("gpt2")
        self.assertEqual(first, (self.folder / "x.svg").read_bytes())
        refused = self.render("gpt2", "--tilt", name="tilted.svg")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("flat, not in perspective", refused.stderr)
        self.assertFalse((self.folder / "tilted.svg").exists())


if __name__ == "__main__":
    unittest.main()
