# Keys and presses that come faster than frames, in a real window on a busy machine: each arrives, in order, and where it
# was meant to.
import random
import subprocess
import sys
import unittest

from harness import OpenTest
from test_worksheet import SHAPES, WORKSHEET_TAB, fields

ORDER = [f"{blank}.{side}" for blank in SHAPES for side in ("rows", "columns")]


class Typing(OpenTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for _ in range(2):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            cls.addClassCleanup(busy.wait)
            cls.addClassCleanup(busy.kill)

    def at_once(self, *keys, before=()):
        """What xdotool does before and then keys, as one burst; returns what has come of it."""
        events = self.program.report()["input"]
        with self.program.busy():
            if before:
                self.display.xdotool(*before)
            events += 2 * before.count("click") + self.program.send_keys(*keys)
        self.program.hear(events)
        return self.program.rests()

    def one_after_the_other(self, *keys):
        self.program.keys(*keys, gap=10)
        return self.program.rests()

    def place(self, name, fraction=(0.5, 0.5)):
        """What xdotool goes there with."""
        left, top = self.display.origin(self.program.window)
        x, y = self.program.point(name, fraction)
        return "mousemove", left + x, top + y

    def open_sheet(self):
        self.program.click(WORKSHEET_TAB)
        self.program.wait_until(lambda report: report["worksheet"] and report["worksheet"]["id"] == "1-one-head",
                                "the first worksheet is open")

    def texts(self, report):
        return {name: field["text"] for name, field in fields(report).items() if field["text"]}

    def test_a_sheet_is_filled_at_any_speed(self):
        self.open_sheet()
        for sheet, press in enumerate((self.at_once, self.one_after_the_other) * 3):
            with self.subTest(sheet=sheet):
                chosen = random.Random(sheet)
                expected, keys = {}, ["ctrl+a"]
                for field in ORDER:
                    text = "9" + "".join(chosen.choices("0123456789", k=chosen.randrange(5)))  # nowhere right
                    keys += text
                    for _ in range(chosen.randrange(3)):
                        keys += [chosen.choice("0123456789"), "BackSpace"]
                    expected[field] = text
                    if field != ORDER[-1]:
                        # Return goes on to what is not right yet, and that is the next.
                        keys += [chosen.choice(("Tab", "Tab", "Return"))] + ["ctrl+a"]
                self.program.click(f"worksheet.{ORDER[0]}")
                self.assertEqual(self.texts(press(*keys)), expected)

    def test_shift_and_tab_goes_back_to_what_was_typed_before(self):
        self.open_sheet()
        for press in (self.at_once, self.one_after_the_other):
            self.program.click(f"worksheet.{ORDER[0]}")
            report = press("ctrl+a", *"12", "Tab", "ctrl+a", *"34", "shift+Tab", "ctrl+a", *"56", "Tab", "Tab", "ctrl+a", *"78")
            self.assertEqual(self.texts(report), dict(zip(ORDER, ("56", "34", "78"))))

    def test_text_behind_a_press_is_in_the_field_that_was_pressed(self):
        self.open_sheet()
        for at, text in ((ORDER[4], "12"), (ORDER[1], "345"), (ORDER[0], "6")):
            report = self.at_once(*text, before=(*self.place(f"worksheet.{at}"), "click", 1))
            self.assertEqual(fields(report)[at]["text"], text)

    def test_a_question_is_asked_in_one_go(self):
        for press, name in ((self.at_once, "query"), (self.one_after_the_other, "key")):
            report = press("ctrl+k", *f"params of w {name[0]}", "Return")
            self.assertEqual(report["selection"], f"layer.attention.{name}.weight")
            self.assertNotIn("ask.field", report["rects"])

    def test_a_file_is_opened_in_one_go(self):
        path = self.home / "mine.json"
        path.write_text('{"title": "Mine", "architecture": "gpt2", "questions": [{"id": "width", "kind": "count", '
                        '"title": "Width", "ask": "How wide?", "answer": "d"}]}', encoding="utf-8")
        self.assertEqual(self.at_once("ctrl+o", *path.name, "Return")["worksheet"]["id"], "mine")

    def test_keys_that_are_shortcuts_are_each_seen(self):
        theme = self.program.report()["theme"]
        self.assertEqual(self.at_once(*"tttt")["theme"], theme)
        self.assertNotEqual(self.at_once(*"ttttt")["theme"], theme)

    def test_two_presses_in_one_frame_are_a_double_click_where_they_were(self):
        press = (*self.place("canvas.block.layer.attention", (0.02, 0.04)), "click", 1)
        report = self.at_once(before=(*press, *press, "mousemove", 5, 5))
        self.assertEqual(report["canvas"]["place"], "layer.attention")

    def test_a_row_is_pressed_in_a_menu_that_has_only_just_been_asked_for(self):
        self.program.click("topbar.file")
        row = self.place("topbar.file.item.save")
        self.program.key("Escape")
        self.program.wait_until(lambda report: "topbar.file.item.save" not in report["rects"], "the menu is closed")
        report = self.at_once(before=(*self.place("topbar.file"), "click", 1, *row, "click", 1))
        self.assertIn("files.field", report["rects"], "the dialog for saving is open")


if __name__ == "__main__":
    unittest.main()
