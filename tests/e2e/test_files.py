# Files in a real window: opened by their path, refused with a sentence, opened again, changed on disk, saved.
import json
import os
import pathlib
import struct
import time
import unittest

from harness import OpenTest

TICK = 1 / os.sysconf("SC_CLK_TCK")

def configuration(layers=2):
    return {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": layers, "num_attention_heads": 4,
            "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512, "tie_word_embeddings": False}


def total(layers=2):
    return 2 * 100 * 64 + 64 + layers * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64)


def tensors(layers=2):
    shapes = {"model.embed_tokens.weight": [100, 64]}
    for layer in range(layers):
        at = f"model.layers.{layer}."
        shapes |= {at + f"self_attn.{name}_proj.weight": [64, 64] for name in "qkvo"}
        shapes |= {at + f"mlp.{name}_proj.weight": [128, 64] for name in ("gate", "up")}
        shapes |= {at + "mlp.down_proj.weight": [64, 128]}
        shapes |= {at + f"{name}_layernorm.weight": [64] for name in ("input", "post_attention")}
    return shapes | {"model.norm.weight": [64], "lm_head.weight": [100, 64]}


def write_safetensors(path, shapes):
    header, at = {}, 0
    for name, shape in shapes.items():
        size = 2
        for length in shape:
            size *= length
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + at)


class Files(OpenTest):
    def setUp(self):
        super().setUp()
        self.folder = self.home / "models"
        self.folder.mkdir()
        self.config = self.folder / "config.json"
        self.config.write_text(json.dumps(configuration()))

    def ask_for(self, path):
        """Types a path into the dialog for opening and ends with Return."""
        self.program.key("ctrl+o")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "the dialog is open")
        self.program.type(str(path))
        self.program.key("Return")

    def opened(self, layers=2):
        return self.program.wait_until(
            lambda report: report["total"] == total(layers) and "files.field" not in report["rects"],
            f"the model of {layers} layers is open and the dialog has closed")

    def test_a_file_is_opened_by_its_path_and_undo_returns(self):
        self.ask_for(self.config)
        report = self.opened()
        self.assertEqual(report["preset"], "")
        self.assertEqual(report["name"], "models")
        self.assertEqual(report["messages"], [])
        self.program.key("ctrl+z")
        self.program.wait_until(lambda report: report["preset"] == "llama-2-7b", "the preset is back")

    def test_tab_completes_and_a_folder_opens_as_a_model(self):
        self.program.key("ctrl+o")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "the dialog is open")
        self.program.type("mod")
        self.program.key("Tab")
        self.program.wait_until(lambda report: "files.row.config.json" in report["rects"], "the folder is listed")
        self.program.key("Return")
        self.opened()

    def test_a_file_that_cannot_be_read_is_explained_and_the_model_stays(self):
        before = self.program.report()
        bad = self.folder / "bad.json"
        bad.write_text('{"model_type": "llama", "hidden_size": ')
        self.ask_for(bad)
        report = self.program.wait_until(lambda report: report["messages"], "it is said what is wrong")
        self.assertIn("bad.json, line", report["messages"][0])
        self.assertEqual((report["total"], report["preset"]), (before["total"], before["preset"]))
        self.assertIn("files.field", report["rects"], "the dialog stays, to choose another")
        self.program.key("Escape")
        self.program.wait_until(lambda report: "files.field" not in report["rects"], "Escape closes it")

    def test_a_recent_file_is_opened_again_at_the_next_start(self):
        self.ask_for(self.config)
        self.opened()
        self.program.key("ctrl+z")
        self.program.wait_until(lambda report: report["preset"] == "llama-2-7b", "the preset is back")
        state = self.home / "state/headcount/document.json"
        self.program.wait_until(lambda report: state.exists() and str(self.config) in state.read_text() and
                                json.loads(state.read_text())["preset"] == "llama-2-7b", "the list is saved")
        self.program.stop()
        self.program = self.start()
        self.program.click("topbar.file")
        self.program.click("topbar.file.item.recent.0")
        self.opened()

    def test_a_file_that_changes_on_disk_is_offered_again(self):
        self.ask_for(self.config)
        self.opened()
        self.config.write_text(json.dumps(configuration(3)))
        self.program.click("file_question.reload")
        report = self.opened(3)
        self.assertNotIn("file_question", report["rects"])
        self.config.write_text(json.dumps(configuration(4)))
        self.program.click("file_question.keep")
        self.program.wait_until(lambda report: "file_question" not in report["rects"], "the question is answered")
        self.assertEqual(self.program.report()["total"], total(3))

    def test_a_document_whose_file_is_gone_goes_on_without_it(self):
        self.ask_for(self.config)
        self.opened()
        state = self.home / "state/headcount/document.json"
        self.program.wait_until(lambda report: state.exists() and json.loads(state.read_text())["file"] ==
                                str(self.config), "the document is saved")
        self.program.stop()
        self.config.unlink()
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["messages"], "it is said")
        self.assertIn("no longer there", report["messages"][0])
        self.assertEqual(report["total"], total())

    def test_what_differs_in_the_weights_is_listed_and_selects_its_tensor(self):
        shapes = tensors()
        del shapes["model.layers.1.mlp.up_proj.weight"]
        write_safetensors(self.folder / "model.safetensors", shapes)
        self.assertNotIn("tables.tab.weights", self.program.report()["rects"])
        self.ask_for(self.folder / "model.safetensors")
        self.opened()
        self.program.click("tables.tab.weights")
        self.program.click("weights.row.model.layers.1.mlp.up_proj.weight")
        self.program.wait_until(lambda report: report["selection"] == "layer.feed_forward.up.weight", "it is selected")

    def test_a_model_is_saved_and_nothing_is_overwritten_unasked(self):
        self.ask_for(self.config)
        self.opened()
        saved = self.folder / "mine.headcount"
        self.program.key("ctrl+s")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "the dialog is open")
        self.program.key("ctrl+a")
        self.program.type("mine")
        self.program.key("Return")
        self.program.wait_until(lambda report: report["messages"] and saved.exists(), "it is saved")
        self.assertIn("architecture", json.loads(saved.read_text()))
        saved.write_text("mine")
        self.program.key("ctrl+s")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "the dialog is open")
        self.program.key("ctrl+a")
        self.program.type("mine")
        self.program.key("Return")
        self.program.key("Escape")
        self.assertEqual(saved.read_text(), "mine")
        self.program.key("Return")
        self.program.key("Return")
        self.program.wait_until(lambda report: saved.read_text() != "mine", "it is replaced when that was asked for")

    def test_the_picture_of_the_window_is_saved(self):
        picture = self.home / "window.png"
        self.program.click("topbar.file")
        self.program.click("topbar.file.item.png")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "the dialog is open")
        self.program.key("ctrl+a")
        self.program.type(str(picture))
        self.program.key("Return")
        self.program.wait_until(lambda report: picture.exists() and picture.stat().st_size > 10000, "it is there")

    def test_nothing_happens_while_nobody_does_anything(self):
        self.ask_for(self.config)
        self.opened()
        seconds = 5
        self.program.rests()
        used = self.processor_seconds()
        time.sleep(seconds)
        self.assertLessEqual(self.processor_seconds() - used, 0.01 * seconds + TICK, "1 % of a core")

    def processor_seconds(self):
        stat = pathlib.Path(f"/proc/{self.program.process.pid}/stat").read_text(encoding="ascii")
        fields = stat.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * TICK


if __name__ == "__main__":
    unittest.main()
