# A class in a real window: a tour from the menu, a clicker's keys, the presenter's window, and everything as it was.
import json
import unittest

from display import HANG_SECONDS
from harness import SIZE, OpenTest

FIRST = "1-what-is-in-a-transformer"
TO_LLAMA_3 = "4-from-llama-2-to-llama-3"


def step(number, revealed=False):
    return lambda report: report["tour"] and (report["tour"]["step"], report["tour"]["revealed"]) == (number, revealed)


def presenting(report):
    return report["presenting"] and "panel.presenter_bar" in report["rects"]


def exploring(report):
    return not report["presenting"] and "panel.architecture" in report["rects"]


class Tours(OpenTest):
    def test_a_file_named_on_the_command_line_starts_and_stays_in_the_list(self):
        self.program.stop()
        path = self.home / "mine.json"
        path.write_text(json.dumps({"title": "Mine", "steps": [{"title": "One", "caption": "{d} wide."},
                                                               {"title": "Two", "caption": "{L} layers."}]}),
                        encoding="utf-8")
        self.program = self.start("--tour", path)
        report = self.program.wait_until(step(1), "the file's tour has begun")
        self.assertEqual((report["tour"]["id"], report["tour"]["steps"]), ("mine", 2))
        self.program.stop()
        self.program = self.start()
        self.program.wait_until(lambda report: report["preset"] == "llama-2-7b", "the program is back")
        self.begin("mine")

    def begin(self, tour):
        self.program.click("topbar.tours")
        self.program.click(f"topbar.tours.item.{tour}")
        return self.program.wait_until(step(1), "the tour begins")

    def press(self, key, number, revealed=False):
        self.program.key(key)
        return self.program.wait_until(step(number, revealed), f"{key} leads to step {number}")

    def present(self):
        self.program.key("F5")
        return self.program.wait_until(presenting, "the window presents")

    def test_f5_presents_and_esc_goes_back(self):
        rects = self.present()["rects"]
        for name in ("panel.architecture", "panel.tables", "panel.inspector", "panel.top_bar"):
            self.assertNotIn(name, rects)
        self.program.key("Escape")
        self.program.wait_until(exploring, "the Explore view is back")
        self.present()
        self.program.click("presenter.back")
        self.program.wait_until(exploring, "its button does the same")

    def test_the_window_goes_back_where_it_was_or_stays_where_it_was_put(self):
        def goes_to(wanted, what):
            geometry = f"Geometry: {wanted[0]}x{wanted[1]}"
            self.program.wait_until(
                lambda report: geometry in self.display.xdotool("getwindowgeometry", self.program.window), what)

        before, put = (1280, 720), (1120, 680)
        self.program.stop()
        self.program = self.start(size=before)
        self.present()
        goes_to(SIZE, "it fills the screen")
        self.program.key("Escape")
        goes_to(before, "it is as it was")
        self.present()
        goes_to(SIZE, "it fills the screen again")
        self.display.xdotool("windowsize", "--sync", self.program.window, *put)
        self.program.key("Escape")
        self.program.wait_until(exploring, "the Explore view is back")
        goes_to(put, "others put it elsewhere")

    def test_a_clicker_walks_a_tour(self):
        report = self.begin(FIRST)
        self.assertEqual(report["tour"]["steps"], 12)
        self.assertIn("6,738,415,616", report["tour"]["title"])
        self.present()
        self.press("space", 2)
        self.press("Next", 3)  # Page Down
        report = self.press("Right", 4)
        self.assertIn("202,383,360", report["tour"]["caption"])
        self.press("Down", 4, revealed=True)
        report = self.press("space", 5)
        self.assertEqual(report["selection"], "component.attention")
        self.press("Prior", 4, revealed=True)  # Page Up
        self.press("Left", 4)
        self.press("Up", 3)

    def test_the_buttons_and_the_dashes_do_the_same(self):
        self.begin(FIRST)
        self.program.click("caption.next")
        self.program.wait_until(step(2), "Next leads on")
        self.program.click("caption.step.6")
        self.program.wait_until(lambda report: step(7)(report) and report["canvas"]["place"] == "layer.attention",
                                "a dash leads to its step")
        self.program.click("caption.back")
        self.program.wait_until(step(6), "Back leads back")

    def test_the_camera_goes_where_the_step_says(self):
        self.begin(FIRST)
        self.present()
        self.program.click("caption.step.4")
        self.program.wait_until(lambda report: report["canvas"]["place"] == "layer", "it is at the layer")
        self.program.click("caption.step.0")
        self.program.wait_until(lambda report: report["canvas"]["place"] == "", "the whole model is in sight")

    def test_a_film_of_a_tour_says_how_far_it_is_and_is_cancelled(self):
        self.program.stop()
        path = self.home / "long.json"  # its film has some thousand frames: however fast the machine is, it goes on
        path.write_text(json.dumps({"title": "Long", "steps": [
            {"title": "In and out", "caption": "{L} layers.", "at": place} for place in ["", "layer.attention"] * 50]}),
            encoding="utf-8")
        self.program = self.start("--tour", path)
        self.program.wait_until(step(1), "the tour has begun")
        self.program.key("ctrl+k")
        self.program.type("save frames")
        self.program.key("Return")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "a folder is asked for")
        folder = self.home / "film"
        self.program.key("ctrl+a")
        self.program.type(str(folder))
        self.program.key("Return")
        self.program.wait_until(lambda report: "film" in report["rects"] and (folder / "0002.png").is_file(),
                                "frames are written, and it is said")
        self.program.click("caption.next")
        self.program.wait_until(step(2), "the tour goes on meanwhile")
        self.program.click("film.stop")
        self.program.wait_until(lambda report: "film" not in report["rects"] and not folder.exists(),
                                "it has ended, and nothing of it is left")

    def test_leaving_a_tour_loses_nothing(self):
        self.program.drag("architecture.dim.track", 0.4, 0.85)
        before = self.program.wait_until(lambda report: report["can_undo"], "the drag became an edit")
        self.begin(TO_LLAMA_3)
        self.program.wait_until(lambda report: report["fields"]["dim"] == 4096, "the tour has a model of its own")
        self.program.click("caption.step.2")
        self.program.wait_until(lambda report: report["fields"]["vocab"] == 128256, "its step changes the vocabulary")
        self.program.click("caption.leave")
        after = self.program.wait_until(lambda report: report["tour"] is None, "the tour has ended")
        self.assertEqual(after["fields"], before["fields"])
        self.assertEqual(after["total"], before["total"])
        self.assertEqual(after["effects"], before["effects"])
        self.program.key("ctrl+z")
        self.program.wait_until(lambda report: report["fields"]["vocab"] == 128256, "what the tour did can be undone to")

    def test_a_tour_that_is_cut_off_leaves_the_document_as_it_was(self):
        self.program.choose_preset("gpt2")
        self.program.wait_until(lambda report: report["preset"] == "gpt2", "GPT-2 is open")
        state = self.home / "state/headcount/document.json"
        self.program.wait_until(
            lambda report: state.exists() and json.loads(state.read_text(encoding="utf-8"))["preset"] == "gpt2", "it is kept")
        self.begin(TO_LLAMA_3)
        self.program.key("Next")
        self.program.wait_until(step(1, revealed=True), "the tour goes on")
        self.program.process.kill()  # as a crash would
        self.program.process.wait(HANG_SECONDS)
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["preset"], "it has started again")
        self.assertEqual(report["preset"], "gpt2")

    def test_the_mouse_selects_and_the_spotlight_follows_while_presenting(self):
        self.present()
        self.program.click("breakdown.row.attention")
        self.program.wait_until(lambda report: report["selection"] == "component.attention", "attention is selected")
        self.program.key("Next")
        self.program.wait_until(lambda report: (report["selection"] or "").count(".") > 0
                                and not report["selection"].startswith("component"), "a clicker goes to a matrix")

    def test_a_teachers_own_tour_is_in_the_menu(self):
        self.program.kill()
        folder = self.home / "data/headcount/tours"
        folder.mkdir(parents=True)
        (folder / "mine.json").write_text(json.dumps({"title": "Mine", "steps": [
            {"title": "{L} layers", "caption": "{count of model} parameters", "at": "layer.feed_forward"}]}))
        (folder / "wrong.json").write_text('{"title": "Wrong", "steps": [{"title": "x"}]}')
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["messages"], "what is wrong is said")
        self.assertIn("steps[0].caption", report["messages"][0])
        report = self.begin("mine")
        self.assertEqual(report["tour"]["title"], "32 layers")


if __name__ == "__main__":
    unittest.main()
