# Published claims in a real window: one that is wrong, its steps lit in the diagram, a teacher's own file.
import json
import unittest

from harness import OpenTest

OWN = {"title": "Our own", "source": "The board in room 12", "architecture": "gpt2",
       "claims": [{"id": "own-width", "says": "GPT-2 is 768 wide.", "claimed": "768", "computed": "d",
                   "verdict": "right", "why": "It is.", "at": "layer.attention.output.weight"}]}


class Claims(OpenTest):
    def setUp(self):
        super().setUp()
        self.program.click("topbar.view.7")
        self.program.wait_until(lambda report: report["claim"], "the claims are shown")

    def test_the_205_billion_are_wrong_and_the_step_is_lit_in_the_diagram(self):
        self.program.click("claims.row.encoder-only")
        self.program.wait_until(lambda report: report["claim"]["id"] == "encoder-only", "another claim is chosen")
        self.program.click("claims.row.205-b")
        report = self.program.wait_until(lambda report: report["claim"]["id"] == "205-b", "the claim is chosen")
        self.assertEqual(report["claim"]["verdict"], "wrong")
        self.assertEqual(report["claim"]["computed"], "16,777,216")
        self.assertEqual(report["claim"]["step"], 1)
        self.assertEqual(report["beside"]["selection"], "embedded")
        self.program.click("claim.step.4", (0.1, 0.5))
        report = self.program.wait_until(
            lambda report: report["claim"]["step"] == 4 and report["beside"]["canvas"]["place"] == "layer.attention",
            "the diagram is where the step is")
        self.assertEqual(report["beside"]["name"], "LLaMA 7B")
        self.assertEqual(report["preset"], "llama-2-7b", "the document stays")

    def test_arrow_keys_go_from_claim_to_claim(self):
        self.program.click("claims.row.205-b")
        self.program.key("Down")
        self.program.wait_until(lambda report: report["claim"]["id"] == "205-b-as-worked-out", "the next one is chosen")
        self.program.key("Up")
        self.program.wait_until(lambda report: report["claim"]["id"] == "205-b", "the one before is chosen")

    def test_its_model_can_be_explored_and_undo_brings_back_ones_own(self):
        self.program.click("claim.open")
        self.program.wait_until(lambda report: report["preset"] == "llama-7b" and report["workspace"] == "explore",
                                "the claim's model is the document")
        self.program.key("ctrl+z")
        self.program.wait_until(lambda report: report["preset"] == "llama-2-7b", "undo brings the document back")

    def test_a_teachers_file_is_opened_and_a_damaged_one_refused_with_a_sentence(self):
        for name, text in (("ours.json", json.dumps(OWN)), ("broken.json", json.dumps(OWN).replace('"d"', '"x_y"'))):
            path = self.home / name
            path.write_text(text)
            self.program.key("ctrl+o")
            self.program.wait_until(lambda report: "files.field" in report["rects"], "the dialog is open")
            self.program.type(str(path))
            self.program.key("Return")
            if name == "ours.json":
                self.program.wait_until(lambda report: report["claim"]["id"] == "own-width", "the file is shown")
        report = self.program.wait_until(lambda report: report["messages"], "the damaged file is refused")
        self.assertIn("broken.json", report["messages"][0])
        self.assertEqual(report["claim"]["id"], "own-width")

    def test_the_claim_is_the_same_after_a_restart(self):
        self.program.click("claims.row.2-b-a-layer")
        self.program.wait_until(lambda report: report["claim"]["id"] == "2-b-a-layer", "the claim is chosen")
        saved = self.home / "state/headcount/document.json"
        self.program.wait_until(lambda report: saved.is_file() and "2-b-a-layer" in saved.read_text(), "it is saved")
        self.program.stop()
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["claim"], "the claims are shown again")
        self.assertEqual(report["claim"]["id"], "2-b-a-layer")


if __name__ == "__main__":
    unittest.main()
