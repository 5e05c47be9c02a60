# A model that runs in a real window: its prompt is read, it plays and stops, steps layer by layer, and is drawn anew.
import json
import unittest

from harness import OpenTest


class Run(OpenTest):
    def setUp(self):
        super().setUp()
        self.program.click("topbar.view.4")
        self.program.wait_until(lambda report: report["run"] and report["run"].get("next") is not None,
                                "the prompt is read")

    def run_now(self):
        return self.program.report()["run"]

    def test_it_plays_until_it_is_stopped(self):
        before = len(self.run_now()["ids"])
        self.program.click("run.speed.2")
        self.program.wait_until(lambda report: report["run"]["speed"] == "4", "it is faster")
        self.program.click("run.play")
        self.program.wait_until(lambda report: len(report["run"]["ids"]) >= before + 2, "two tokens have come")
        self.program.click("run.play")
        self.program.wait_until(lambda report: not report["run"]["playing"], "it has stopped")
        text = self.run_now()["text"]
        self.assertTrue(text.startswith("Once upon a time"), text)
        self.program.click("run.restart")
        self.program.wait_until(lambda report: len(report["run"]["ids"]) == before, "only the prompt is there")
        self.assertFalse(self.program.report()["can_undo"], "a run is no edit")

    def test_a_run_that_is_faster_than_its_frames_is_reported_as_it_goes_on(self):
        config = {"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 4,
                  "num_key_value_heads": 4, "intermediate_size": 1536, "vocab_size": 12000,
                  "max_position_embeddings": 1024}
        path = self.home / "fast.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        self.program.stop()
        self.program = self.start(str(path))
        self.program.click("topbar.view.4")
        self.program.wait_until(lambda report: report["run"] and report["run"].get("next") is not None,
                                "the view is shown")
        self.program.click("run.source")
        self.program.click("run.source.1")
        self.program.wait_until(lambda report: report["run"]["source"] == "random"
                                and report["run"].get("prompt_tokens") == 3, "it has read its prompt")
        self.program.click("run.speed.3")
        self.program.click("run.play")
        self.program.wait_until(lambda report: report["run"]["playing"] and report["run"]["generated"] > 3,
                                "tokens are reported while it plays")
        before = self.run_now()["generated"]
        self.program.wait_until(lambda report: report["run"]["playing"] and report["run"]["generated"] > before + 3,
                                "and more of them")
        self.program.click("run.play")
        self.program.wait_until(lambda report: not report["run"]["playing"], "it has stopped")

    def test_a_step_embeds_a_token_and_then_shows_layer_after_layer(self):
        coming = self.run_now()["next"]
        self.program.click("run.step")
        report = self.program.wait_until(lambda report: report["run"]["generated"] == 1, "a token has come")
        self.assertEqual(report["run"]["ids"][-1], coming)
        self.assertEqual(report["run"]["layers_shown"], 0)
        newest = len(report["run"]["ids"]) - 1
        self.assertIn(f"run.stage_now.token {newest}: embedded", report["rects"])
        self.program.click("run.step")
        report = self.program.wait_until(lambda report: report["run"]["layers_shown"] == 1, "the first layer is shown")
        self.assertEqual(report["run"]["generated"], 1)
        self.assertIn(f"run.stage_now.token {newest}: layer 0", report["rects"])
        self.program.click("run.tabs.1")
        self.program.wait_until(lambda report: "run.not_yet.2" in report["rects"]
                                and "run.not_yet.1" not in report["rects"], "the other layers are to come")

    def test_a_run_that_plays_unseen_pauses_and_says_so(self):
        self.program.click("run.play")
        self.program.wait_until(lambda report: report["run"]["playing"], "it plays")
        self.program.click("topbar.view.0")
        self.program.wait_until(lambda report: report["run"] is None, "another view is shown")
        self.program.click("topbar.view.4")
        self.program.wait_until(lambda report: report["run"] and report["run"].get("rested")
                                and "run.remark.Paused when you left this view" in report["rects"], "it says that it was paused")
        self.assertFalse(self.run_now()["playing"])
        self.program.click("run.play")
        self.program.wait_until(lambda report: report["run"]["playing"] and not report["run"]["rested"], "it goes on")

    def test_a_run_opens_at_its_words(self):
        report = self.run_now()
        self.assertIn("run.words.open", self.program.last["rects"])
        self.program.click("run.words.head.2")
        opened = (report["layer"], report["head"])
        self.program.wait_until(lambda report: (report["run"]["layer"], report["run"]["head"]) != opened,
                                "that head is looked at")
        self.program.click("run.way.model")
        self.program.click("run.way.model.1")
        report = self.program.wait_until(lambda report: "canvas.layer.attention.query.weight" in report["rects"],
                                         "the diagram is shown")
        self.assertNotIn("run.words.open", report["rects"])

    def test_a_computation_that_is_watched_is_paused_stepped_and_turned_back(self):
        self.program.click("run.words.open")
        self.program.click("run.watch")
        watched = lambda report: report["run"]["watched"]  # noqa: E731
        self.program.wait_until(lambda report: watched(report) and watched(report)["playing"], "it plays")
        self.program.click("run.play")
        report = self.program.wait_until(lambda report: not watched(report)["playing"], "it pauses")
        step = watched(report)["step"]
        self.program.click("run.step")
        self.program.wait_until(lambda report: watched(report)["done"] >= 1 and not watched(report)["playing"],
                                "one operation is made")
        self.program.click("run.play")
        self.program.wait_until(lambda report: watched(report)["playing"] and watched(report)["step"] > step, "it goes on")
        self.program.click("run.restart")
        self.program.wait_until(lambda report: watched(report) == {"step": 0, "done": 0, "playing": False},
                                "it is back at the first operation")

    def test_a_chip_under_the_pointer_lights_its_token(self):
        self.program.click("run.words.open")
        self.program.hover("run.token.2")
        for name in ("canvas.lit.layer.attention.head.weights", "run.attention.column"):
            self.program.wait_until(lambda report, name=name: name in report["rects"], f"{name} is lit")
        self.program.hover("run.restart")
        self.program.wait_until(lambda report: "run.attention.column" not in report["rects"]
                                and "canvas.lit.layer.attention.head.weights" not in report["rects"], "it is lit no more")

    def test_the_prompt_is_read_as_it_is_typed(self):
        self.program.click("run.prompt")
        self.program.key("ctrl+a")
        self.program.type("the dog")
        report = self.program.wait_until(lambda report: report["run"]["text"] == "the dog", "the new prompt is read")
        self.assertIsNone(report["run"]["error"])
        self.assertEqual(report["run"]["generated"], 0)

    def test_sampling_decides_what_comes(self):
        self.program.click("run.greedy.toggle")
        report = self.program.wait_until(lambda report: report["run"]["kept"] == 1, "the likeliest alone is left")
        self.assertEqual(report["run"]["next"], report["run"]["likeliest"])
        self.program.click("run.greedy.toggle")
        self.program.type_into("run.top_k.field", "3")
        self.program.wait_until(lambda report: 1 < report["run"]["kept"] <= 3, "three at most are left")

    def test_a_token_and_a_head_are_looked_at(self):
        self.program.click("run.token.2")
        self.program.wait_until(lambda report: report["run"]["position"] == 2, "its next tokens are shown")
        self.program.click("run.thumb.1.0")
        self.program.wait_until(lambda report: report["run"]["layer"] == 1, "its attention is shown")
        self.program.click("run.tabs.2")
        self.program.wait_until(lambda report: "run.lens.0" in report["rects"], "the lens is shown")

    def test_a_head_is_switched_off_beside_the_run_as_it_is(self):
        self.program.click("run.beside")
        self.program.wait_until(lambda report: report["run"]["beside"] and "run.part.2.attention.1" in report["rects"],
                                "its heads can be pressed")
        self.program.click("run.part.2.attention.1")
        report = self.program.wait_until(lambda report: report["run"]["changes"]
                                         and report["run"]["changes"][0]["alone"] is not None, "its effect is known")
        self.assertEqual(report["run"]["changes"][0]["change"], "layer.2.attention.head:1 off")
        self.assertNotEqual(report["run"]["after"], report["run"]["before"])
        self.assertAlmostEqual(report["run"]["changes"][0]["alone"], report["run"]["after"] - report["run"]["before"],
                               places=5)
        self.assertIn("run.change.0.switch", report["rects"])
        self.program.key("ctrl+z")
        self.program.wait_until(lambda report: not report["run"]["changes"], "undone")
        self.program.key("ctrl+shift+z")
        self.program.wait_until(lambda report: report["run"]["changes"], "redone")
        state = self.home / "state/headcount/document.json"
        self.program.wait_until(lambda report: state.exists() and "layer.2.attention.head:1" in state.read_text(
            encoding="utf-8"), "it is saved")
        self.program.stop()
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["run"] and report["run"].get("changes"),
                                         "it is there after a new start")
        self.assertTrue(report["run"]["beside"])

    def test_a_model_that_fits_nowhere_is_refused_with_the_numbers(self):
        self.program.click("run.source")
        self.program.click("run.source.1")
        report = self.program.wait_until(lambda report: report["run"]["source"] == "random", "another model is chosen")
        self.assertIn("Llama 2 7B", report["run"]["model"])
        report = self.program.wait_until(
            lambda report: report["run"]["wrong"] is not None or report["run"]["memory"] > 2**34,
            "what it takes is said before anything is loaded")
        self.assertFalse(report["run"].get("playing"))
        self.program.click("run.source")
        self.program.click("run.source.0")
        self.program.wait_until(lambda report: report["run"].get("prompt_tokens", 0) > 1 and not report["run"]["wrong"],
                                "the small one runs again")


if __name__ == "__main__":
    unittest.main()
