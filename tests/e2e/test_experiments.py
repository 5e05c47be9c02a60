# Experiments that lessons ask for, done in a real window: a head is switched off, and that is noticed.
import unittest

from harness import OpenTest

HEAD = "run.part.0.attention.6"


class Experiments(OpenTest):
    def test_a_class_finds_the_head_that_a_tour_asks_for(self):
        self.program.click("topbar.tours")
        self.program.click("topbar.tours.item.8-what-if-a-head-were-gone")
        for step in (1, 2):
            self.program.wait_until(lambda report: report["tour"] and report["tour"]["step"] == step, f"step {step}")
            if step == 1:
                self.program.key("Next")
                self.program.wait_until(lambda report: report["tour"]["revealed"], "the first answer is shown")
                self.program.key("Next")
        self.assertFalse(self.program.report()["tour"]["revealed"])
        self.program.click("run.part.3.attention.0")
        self.program.click("run.part.3.attention.0")
        self.program.click(HEAD)
        report = self.program.wait_until(lambda report: report["tour"]["revealed"], "what was done is answered")
        self.assertEqual(report["tour"]["step"], 2)

    def test_a_worksheet_takes_what_was_switched_off_in_run(self):
        self.program.key("ctrl+k")
        self.program.rect("ask.field")
        self.program.type("experiment worksheet")
        self.program.rests()
        self.program.key("Return")
        self.program.wait_until(lambda report: report["workspace"] == "worksheet" and
                                report["worksheet"]["id"] == "10-a-head-gone", "the sheet is open")
        self.program.click("worksheet.try")
        self.program.wait_until(lambda report: report["workspace"] == "run", "the run is shown")
        self.program.click(HEAD)
        self.program.rests()
        self.program.key("ctrl+7")
        self.program.click("worksheet.take")
        report = self.program.wait_until(lambda report: report["worksheet"]["blanks"]["one-head"]["outcome"] == "right",
                                         "the answer is right")
        field = report["worksheet"]["blanks"]["one-head"]["fields"]["one-head"]
        self.assertEqual(field["text"], "layer.0.attention.head:6")


if __name__ == "__main__":
    unittest.main()
