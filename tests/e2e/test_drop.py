# Files that are dropped on a real window: a tour begins, a checkpoint is opened and read.
import json
import pathlib
import subprocess
import sys
import unittest

from display import HANG_SECONDS
from harness import OpenTest, program_path
from test_files import configuration, tensors, total, write_safetensors

DROP = pathlib.Path(__file__).with_name("drop.py")


class Drop(OpenTest):
    def drop(self, *paths):
        display = self.display.environment()["DISPLAY"]
        subprocess.run([sys.executable, DROP, display, str(self.program.window), *paths], check=True, timeout=HANG_SECONDS)

    def test_a_tour_begins(self):
        tour = self.home / "mine.json"
        steps = [{"title": "First", "caption": "The whole model.", "at": "", "select": "total"},
                 {"title": "Second", "caption": "A layer.", "at": "layer"}]
        tour.write_text(json.dumps({"title": "Mine", "about": "Two steps.", "steps": steps}))
        self.drop(tour)
        report = self.program.wait_until(lambda report: report["tour"], "the tour runs")
        self.assertEqual((report["tour"]["title"], report["tour"]["steps"]), ("First", 2))
        self.assertEqual(report["preset"], "llama-2-7b")

    def test_a_checkpoint_is_opened(self):
        folder = self.home / "a model"
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps(configuration()))
        write_safetensors(folder / "model.safetensors", tensors())
        self.drop(folder / "model.safetensors")
        report = self.program.wait_until(lambda report: report["total"] == total(), "the checkpoint's model is shown")
        self.assertEqual(report["file"], str(folder / "model.safetensors"))

    def test_activations_are_compared_with_the_model_that_runs(self):
        theirs = self.home / "theirs.safetensors"
        subprocess.run([program_path(), "run", "tiny-stories", "--set", "activation=gelu", "--prompt-ids", "1,20,30,40",
                        "--tokens", "0", "--dump", str(theirs)], check=True, timeout=HANG_SECONDS,
                       stdout=subprocess.DEVNULL)
        self.program.click("topbar.view.4")
        self.program.wait_until(lambda report: report["run"] and report["run"].get("next") is not None,
                                "the model runs")
        self.drop(theirs)
        report = self.program.wait_until(
            lambda report: report["run"] and report["run"].get("diagnosis") and report["run"]["diagnosis"]["done"]
            and "canvas.differs.layer.feed_forward.hidden" in report["rects"], "its cause is named")
        said = report["run"]["diagnosis"]
        self.assertEqual(said["first"], "layer.0.feed_forward.hidden")
        self.assertEqual(said["causes"], [["activation-gelu"]])
        self.assertIn("canvas.agrees.layer.attention.queries", report["rects"])
        self.assertIn("run.diagnosis.line.0", report["rects"])
        self.program.click("run.diagnosis.close")
        self.program.wait_until(lambda report: report["run"]["diagnosis"] is None
                                and "canvas.differs.layer.feed_forward.hidden" not in report["rects"], "it is over")

    def test_of_several_the_first_is_opened_and_the_others_are_spoken_of(self):
        files = [self.home / name for name in ("one.json", "two.json")]
        for layers, file in enumerate(files, start=2):
            file.write_text(json.dumps(configuration(layers)))
        self.drop(*files)
        report = self.program.wait_until(lambda report: report["total"] == total(2), "the first file's model is shown")
        self.assertIn("was not opened", " ".join(report["messages"]))

    def test_what_is_no_model_leaves_the_model_and_says_why(self):
        file = self.home / "notes.json"
        file.write_text('{"shopping": ["bread"]}')
        self.drop(file)
        report = self.program.wait_until(lambda report: report["messages"], "a sentence is shown")
        self.assertIn("notes.json", " ".join(report["messages"]))
        self.assertEqual(report["preset"], "llama-2-7b")


if __name__ == "__main__":
    unittest.main()
