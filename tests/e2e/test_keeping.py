# What is typed and changed outlives the program, however it ends.
import json
import signal
import unittest

from display import HANG_SECONDS
from harness import OpenTest, WindowTest


class KeepingTest(OpenTest):
    @property
    def state(self):
        return self.home / "state/headcount/document.json"

    def saved(self):
        return json.loads(self.state.read_text(encoding="utf-8"))

    def ended(self, how):
        """Ends the program and waits until it is gone."""
        how(self.program.process)
        self.program.process.wait(HANG_SECONDS)

    def test_a_slider_that_is_still_held_is_saved(self):
        def held():
            layers = self.program.report()["fields"]["layers"]
            self.program.wait_until(
                lambda report: self.state.exists() and
                self.saved()["architecture"]["fields"]["layers"] == str(layers), "the number under the mouse is saved")
            self.assertTrue(self.program.report()["mouse_down"])

        self.program.drag("architecture.layers.track", 0.3, 0.6, held)

    def test_what_is_typed_without_a_pause_is_saved(self):
        self.program.click("topbar.view.6")
        self.program.click("worksheet.head.input.rows")
        text = ""
        while not (self.state.exists() and "head.input" in self.state.read_text(encoding="utf-8")):
            self.assertLess(len(text), 500, "it is never saved")
            text += "1"
            self.display.xdotool("key", "1")  # sooner than what counts as a pause
        self.assertTrue(text)

    def test_a_signal_that_ends_the_program_saves_first(self):
        for end, preset in ((signal.SIGTERM, "gpt2"), (signal.SIGHUP, "llama-2-7b"), (signal.SIGINT, "gpt2")):
            with self.subTest(end.name):
                self.program.choose_preset(preset)
                self.program.wait_until(lambda report: report["preset"] == preset, "another model is open")
                self.ended(lambda process: process.send_signal(end))
                self.assertEqual(self.saved()["preset"], preset)
                self.assertEqual(self.program.process.returncode, 0, self.program.stderr())
                self.program = self.start()
                self.assertEqual(self.program.wait_until(lambda report: report["preset"], "it starts")["preset"], preset)


class WindowsTest(WindowTest):
    def saved(self):
        return json.loads((self.home / "state/headcount/document.json").read_text(encoding="utf-8"))

    def look_at(self, program):
        self.display.xdotool("windowraise", program.window)
        self.display.focus(program.window)

    def answer(self, program, field, number):
        self.look_at(program)
        program.click("worksheet." + field)
        for digit in str(number):
            program.key(digit)
        blank, side = field.rsplit(".", 1)
        program.wait_until(lambda report: report["worksheet"]["blanks"][blank]["fields"][field]["text"] == str(number),
                           "it is typed")

    def given(self):
        return {blank: text for sheet in self.saved()["worksheets"]["progress"]
                for blank, text in sheet["given"].items()}

    def test_two_windows_keep_each_their_model_and_together_the_answers(self):
        one, two = self.start(name="one"), self.start(name="two")
        self.assertNotEqual(self.display.origin(one.window), self.display.origin(two.window))
        for program, preset in ((one, "gpt2"), (two, "llama-3-8b")):
            self.look_at(program)
            program.choose_preset(preset)
            program.wait_until(lambda report: report["preset"] == preset, "it is open")
            program.click("topbar.view.6")
            program.wait_until(lambda report: report["worksheet"], "the worksheet is open")
        self.answer(one, "head.input.rows", 100)
        self.answer(two, "head.keys.rows", 200)
        self.answer(one, "head.values.rows", 300)
        wanted = {"head.input": "100 \u00d7 ", "head.keys": "200 \u00d7 ", "head.values": "300 \u00d7 "}
        one.wait_until(lambda report: self.given() == wanted, "all is saved")
        self.look_at(two)
        two.click("topbar.view.6")  # out of the field: nothing comes in where somebody types
        two.wait_until(lambda report: report["worksheet"]["blanks"]["head.values"]["fields"]["head.values.rows"]["text"]
                       == "300", "it is seen in the other window")
        two.process.kill()  # as a crash would
        two.process.wait(HANG_SECONDS)
        one.stop()
        again = [self.start(name=name) for name in ("one", "two")]
        presets = [program.wait_until(lambda report: report["preset"], "it starts")["preset"] for program in again]
        self.assertEqual(sorted(presets), ["gpt2", "llama-3-8b"])
        self.assertEqual(self.given(), wanted)

    def place(self, program):
        return self.display.origin(program.window), self.display.extent(program.window)

    def test_a_window_opens_where_and_as_large_as_it_was(self):
        program = self.start(size=None)
        self.display.xdotool("windowmove", program.window, 50, 60)
        self.display.xdotool("windowsize", program.window, 1300, 800)
        program.wait_until(lambda report: (self.home / "state/headcount/document.json").exists() and
                           self.saved()["view"]["window"] ==
                           {"maximised": False, "corner": [50, 60], "size": [1300, 800]}, "its place is saved")
        program.stop()
        program = self.start(size=None)
        self.assertEqual(self.place(program), ((50, 60), (1300, 800)))
        second = self.start(name="second", size=None)
        self.assertNotEqual(self.display.origin(second.window), (50, 60))
        self.assertEqual(self.display.extent(second.window), (1300, 800))
        second.stop()
        program.stop()
        program = self.start(size=(1200, 700))
        self.assertEqual(self.display.extent(program.window), (1200, 700))


class LostDisplayTest(WindowTest):
    def test_a_display_that_goes_away_costs_nothing(self):
        program = self.start()
        program.choose_preset("gpt2")
        program.wait_until(lambda report: report["preset"] == "gpt2", "GPT-2 is open")
        self.display.close()
        self.assertEqual(program.process.wait(HANG_SECONDS), 1)
        state = self.home / "state/headcount/document.json"
        self.assertEqual(json.loads(state.read_text(encoding="utf-8"))["preset"], "gpt2")


if __name__ == "__main__":
    unittest.main()
