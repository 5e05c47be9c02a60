# A training in a real window: a link opens it, it goes on while nobody moves, and what it made opens in Run.
from harness import OpenTest


class Train(OpenTest):
    arguments = ("#v=1&m=gpt2&view=train",)

    def test_what_was_trained_is_run(self):
        self.program.wait_until(lambda report: report["train"] and report["train"]["begun"], "there are first weights")
        self.program.click("train.play")
        self.program.wait_until(lambda report: report["train"]["steps"] > 20, "it goes on by itself")
        self.program.click("train.play")
        self.program.rests()
        steps = self.program.report()["train"]["steps"]
        self.program.click("train.open")
        report = self.program.wait_until(lambda report: report["workspace"] == "run" and report["run"] and
                                         report["run"]["phase"] == "ready", "it has read its prompt")
        self.assertEqual(report["run"]["model"], f"micro, step {steps}")
        self.assertIsNone(report["run"]["wrong"])
