# Predict, then reveal, in a real window: a key hides the number under the pointer, a press on a blank shows it.
import unittest

from harness import OpenTest


class Guessing(OpenTest):
    def hidden(self, report):
        return {name for name in report["rects"] if name.startswith("hidden.")}

    def test_a_number_is_hidden_and_shown_again(self):
        self.program.hover("topbar.total")
        self.program.key("h")
        self.program.wait_until(lambda report: self.hidden(report) == {"hidden.total"}, "the total is hidden")
        self.program.click("hidden.total")
        self.program.wait_until(lambda report: not self.hidden(report), "the total is shown again")

    def test_shift_shows_all(self):
        for name in ("topbar.total", "breakdown.legend.attention"):
            self.program.hover(name)
            self.program.key("h")
        self.program.wait_until(lambda report: len(self.hidden(report)) == 2, "two numbers are hidden")
        self.program.key("shift+h")
        self.program.wait_until(lambda report: not self.hidden(report), "all are shown again")


if __name__ == "__main__":
    unittest.main()
