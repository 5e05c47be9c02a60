# The ask bar in a real window: a question is typed, and what it is about is lit.
import unittest

from harness import OpenTest


class Asking(OpenTest):
    def ask(self, text):
        self.program.key("ctrl+k")
        self.program.rect("ask.field")
        self.program.type(text)

    def test_the_field_in_the_top_bar_opens_it_in_every_view(self):
        for view in range(1, 8):
            self.program.key(f"ctrl+{view}")
            self.program.click("topbar.ask")
            self.program.rect("ask.field")
            self.program.key("Escape")
            self.program.wait_until(lambda report: "ask.field" not in report["rects"], "the bar is closed")

    def test_enter_lights_the_answers_box(self):
        self.ask("params of w_q".replace("_", " "))
        self.program.rect("ask.answer")
        self.program.key("Return")
        report = self.program.wait_until(
            lambda report: report["selection"] == "layer.attention.query.weight", "the answer's box is lit")
        self.assertEqual(report["preset"], "llama-2-7b")
        self.program.wait_until(lambda report: "ask.field" not in report["rects"], "the bar is closed")

    def test_an_answer_about_another_model_opens_it(self):
        self.ask("ffn in llama 3 8b")
        self.program.rect("ask.answer")
        self.program.key("Return")
        self.program.wait_until(lambda report: report["preset"] == "llama-3-8b" and
                                report["selection"] == "component.feed_forward", "Llama 3 8B's feed-forward is lit")

    def test_escape_closes_it_and_changes_nothing(self):
        before = self.program.report()
        self.ask("gpt2")
        self.program.rect("ask.answer")
        self.program.key("Escape")
        report = self.program.wait_until(lambda report: "ask.field" not in report["rects"], "the bar is closed")
        self.assertEqual(report["preset"], before["preset"])
        self.assertEqual(report["selection"], before["selection"])

    def test_letters_in_it_are_no_shortcuts(self):
        theme = self.program.report()["theme"]
        self.ask("attention")
        report = self.program.wait_until(lambda report: "ask.answer" in report["rects"], "there is an answer")
        self.assertEqual(report["theme"], theme, "T is a letter here")

    def test_a_command_is_found_and_done(self):
        theme = self.program.report()["theme"]
        self.ask("dark or light")
        self.program.key("Return")
        self.program.wait_until(lambda report: report["theme"] != theme, "the theme is the other one")


if __name__ == "__main__":
    unittest.main()
