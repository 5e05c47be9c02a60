# The zooming canvas in a real window: where the wheel, drags, clicks and keys take one.
import os
import time

from harness import OpenTest

QUERY = "canvas.layer.attention.query.weight"
EMBEDDING = "canvas.embedding.weight"
ATTENTION, HEAD = "layer.attention", "layer.attention.head"
GROUND = (0.02, 0.04)  # of a sub-block: its corner, where nothing lies


def at(place, copy=0):
    return lambda report: (report["canvas"]["place"], report["canvas"]["copy"]) == (place, copy)


def depth(report):
    """How many places the breadcrumb names."""
    return sum(name.startswith("canvas.way.") for name in report["rects"])


def width(rect):
    return rect[2] - rect[0]


class Canvas(OpenTest):
    def setUp(self):
        super().setUp()
        self.program.wait_until(lambda report: QUERY in report["rects"], "the diagram is there")

    # What a person does here.

    def turn_wheel(self, notches):
        """Up is nearer. Each notch is a click of button 4 or 5."""
        for _ in range(abs(notches)):
            before = self.resting()
            self.program.display.xdotool("click", 4 if notches > 0 else 5)
            self.program.wait_until(lambda report: self.places(report) != before, "the wheel is seen")

    def double_click(self, x, y, predicate, what):
        self.program.double_click_at(x, y)
        return self.program.wait_until(predicate, what)

    def drag(self, start, end, button=1):
        self.program.move(*start)
        self.program.press(button)
        for step in range(1, 6):
            self.program.move(*(round(a + (b - a) * step / 5) for a, b in zip(start, end)))
        self.program.release(button)

    def places(self, report):
        return {name: rect for name, rect in report["rects"].items() if name.startswith("canvas.")}

    def resting(self):
        """Where everything is, once nothing moves any more."""
        return self.places(self.program.rests())

    def go_to_attention(self):
        self.double_click(*self.program.point("canvas.block.layer.attention", GROUND), at(ATTENTION),
                          "the canvas is at attention")
        self.resting()

    def go_to_head(self, copy=9):
        self.go_to_attention()
        x0, y0, x1, y1 = self.program.rect("canvas.layer.attention.head.scores")
        columns = 8
        x = x0 + (x1 - x0) * (copy % columns + 0.5) / columns
        y = y0 + (y1 - y0) * (copy // columns + 0.5) / (32 // columns)
        self.double_click(round(x), round(y), at(HEAD, copy), f"the canvas is at head {copy}")
        self.resting()

    # The pointer.

    def test_the_wheel_zooms_at_the_pointer(self):
        before = self.program.rect(EMBEDDING)
        share = (0.75, 0.25)
        x, y = self.program.point(EMBEDDING, share)
        self.program.move(x, y)
        self.turn_wheel(2)
        after = self.resting()[EMBEDDING]
        self.assertGreater(width(after), 1.3 * width(before))
        self.assertAlmostEqual(after[0] + share[0] * width(after), x, delta=2)
        self.assertAlmostEqual(after[1] + share[1] * (after[3] - after[1]), y, delta=2)
        self.turn_wheel(-2)
        for a, b in zip(self.resting()[EMBEDDING], before):
            self.assertAlmostEqual(a, b, delta=0.2)

    def test_the_wheel_with_ctrl_zooms_too(self):
        before = self.program.rect(EMBEDDING)
        self.program.hover(EMBEDDING)
        self.program.display.xdotool("keydown", "ctrl", "click", 4, "keyup", "ctrl")
        self.program.wait_until(lambda report: width(report["rects"][EMBEDDING]) > width(before), "it is nearer")
        self.assertEqual(self.program.report()["scale"], 1)

    def test_a_wheel_that_turns_sideways_pans(self):
        before = self.program.rect(EMBEDDING)
        self.program.hover(EMBEDDING)
        self.program.display.xdotool("click", 7)
        self.program.wait_until(lambda report: report["rects"].get(EMBEDDING) != before, "it has moved")
        after = self.resting()[EMBEDDING]
        self.assertNotEqual(after[0], before[0])
        self.assertEqual(after[1], before[1])
        self.assertAlmostEqual(width(after), width(before), delta=0.2)

    def test_a_drag_pans_and_selects_nothing(self):
        self.go_to_attention()
        selection = self.program.report()["selection"]
        before = self.program.rect(QUERY)
        x, y = self.program.point(QUERY)
        self.drag((x, y), (x + 60, y + 40))
        self.program.wait_until(lambda report: report["rects"].get(QUERY) != before, "the picture has moved")
        after = self.resting()[QUERY]
        for i, by in enumerate((60, 40, 60, 40)):
            self.assertAlmostEqual(after[i] - before[i], by, delta=1)
        self.assertEqual(self.program.report()["selection"], selection)
        self.program.hover(QUERY)
        self.program.wait_until(lambda report: report["hover"] == QUERY.removeprefix("canvas."),
                                "what is pointed at after a drag lights up")

    def test_a_click_selects_and_moves_nothing(self):
        before = self.resting()
        self.program.click(QUERY)
        self.program.wait_until(lambda report: report["selection"] == QUERY.removeprefix("canvas."), "it is selected")
        self.assertEqual(self.resting(), before)

    def test_the_picture_cannot_be_lost(self):
        x, y = self.program.point(EMBEDDING)
        for _ in range(3):
            self.drag((x, y), (x + 900, y + 300))
        shown = self.resting()
        self.assertTrue(any(name.startswith(("canvas.layer", "canvas.embedding")) for name in shown))
        self.program.key("Escape")
        self.program.wait_until(lambda report: abs(self.program.rect(EMBEDDING)[0] - x) < 60, "Escape brings it back")

    def test_a_double_click_goes_in_step_by_step_and_escape_and_backspace_come_back(self):
        self.go_to_head(9)
        weights = QUERY.removeprefix("canvas.")
        self.double_click(*self.program.point(QUERY), at(weights, 9), "the canvas is at the matrix")
        self.resting()
        in_matrix = depth(self.program.report())
        self.double_click(*self.program.point(QUERY), lambda report: depth(report) == in_matrix + 1,
                          "the canvas is among the cells")
        self.resting()
        self.program.key("Escape")
        self.program.wait_until(lambda report: depth(report) == in_matrix, "the whole matrix is seen")
        for key, place in (("BackSpace", at(HEAD, 9)), ("Escape", at(ATTENTION))):
            self.resting()
            self.program.key(key)
            self.program.wait_until(place, f"{key} goes up")
        self.resting()
        self.program.key("f")
        self.program.wait_until(at(""), "the whole model is seen")

    def test_a_double_click_selects_what_was_clicked_and_not_what_comes_there(self):
        self.go_to_attention()
        self.assertEqual(self.program.report()["selection"], "component.attention")

    # Keys.

    def test_arrow_keys_step_between_heads(self):
        self.go_to_head(9)
        self.program.key("Right")
        self.program.wait_until(at(HEAD, 10), "the next head is seen")
        self.program.key("Left")
        self.program.key("Left")  # while the camera is still on its way
        self.program.wait_until(at(HEAD, 8), "the one before is seen")

    def test_arrow_keys_step_between_sub_blocks(self):
        self.go_to_attention()
        self.program.key("Down")
        self.program.wait_until(at("layer.feed_forward"), "the canvas is at feed-forward")
        self.program.key("Up")
        self.program.wait_until(at(ATTENTION), "the canvas is at attention again")

    def test_the_keyboard_alone_goes_in(self):
        self.program.move(5, 5)
        self.program.click("canvas.layer", (0.5, 0.999))
        self.program.key("Right")
        report = self.program.wait_until(lambda report: report["selection"], "the first matrix is selected")
        self.program.key("Right")
        self.program.wait_until(lambda now: now["selection"] != report["selection"], "another one is selected")
        selection = self.program.report()["selection"]
        self.program.key("Return")
        self.program.wait_until(at(selection), "the canvas is at what is selected")

    def test_p_tilts_and_p_makes_it_flat_again(self):
        flat = self.resting()
        self.program.key("p")
        self.program.wait_until(lambda report: report["canvas"]["tilted"], "it is tilted")
        tilted = self.resting()
        self.assertNotEqual(tilted[QUERY], flat[QUERY])
        x, y = self.program.point(EMBEDDING)
        self.drag((x, y), (x + 80, y), button=3)
        self.program.wait_until(lambda report: report["rects"].get(QUERY) != tilted[QUERY], "the right button turns it")
        self.assertNotIn("canvas.menu.0", self.program.report()["rects"])
        self.program.key("p")
        self.program.wait_until(lambda report: not report["canvas"]["tilted"], "it is flat")
        for now, before in zip(self.resting()[QUERY], flat[QUERY]):
            self.assertAlmostEqual(now, before, delta=0.25, msg="it is where it was, to a quarter of a pixel")

    def test_a_decoding_step_has_a_cache_and_the_prompt_again_has_none(self):
        self.program.key("d")
        report = self.program.wait_until(lambda report: report["inputs"]["cached"] > 0, "there are cached tokens")
        self.assertEqual((report["inputs"]["tokens"], report["inputs"]["cached"]), (1, 100))
        self.program.key("d")
        report = self.program.wait_until(lambda report: report["inputs"]["cached"] == 0, "the prompt is back")
        self.assertEqual(report["inputs"]["tokens"], 100)

    def test_with_reduced_motion_the_camera_is_there_at_once(self):
        self.program.key("m")
        self.program.wait_until(lambda report: report["canvas"]["reduced_motion"], "motion is reduced")
        self.double_click(*self.program.point("canvas.block.layer.attention", GROUND), at(ATTENTION),
                          "the canvas is at attention")
        seen = [self.program.report()["rects"][QUERY]]
        self.resting()
        seen.append(self.program.report()["rects"][QUERY])
        self.assertEqual(seen[0], seen[1])

    # What stands around the picture.

    def test_the_breadcrumb_leads_back(self):
        self.go_to_head(9)
        self.program.click("canvas.way.2")
        self.program.wait_until(at(ATTENTION), "the canvas is at attention")
        self.program.click("canvas.way.0")
        self.program.wait_until(at(""), "the whole model is seen")

    def test_the_map_leads_to_what_is_pressed(self):
        self.go_to_attention()
        before = self.resting()["canvas.block.layer.attention"]
        self.program.click("canvas.map", (0.5, 0.75))
        self.program.wait_until(lambda report: report["rects"].get("canvas.block.layer.attention") != before,
                                "the picture has moved")
        self.resting()
        self.program.wait_until(lambda report: report["canvas"]["place"] != ATTENTION, "it is elsewhere")

    def test_the_zoom_buttons_zoom_and_fit(self):
        before = self.resting()
        self.program.click("canvas.zoom.out")
        self.program.wait_until(lambda report: width(report["rects"][EMBEDDING]) < 0.8 * width(before[EMBEDDING]),
                                "it is farther away")
        self.program.click("canvas.zoom.fit")
        self.program.wait_until(lambda report: report["rects"][EMBEDDING] == before[EMBEDDING], "it is as before")
        self.program.click("canvas.zoom.in")
        self.program.wait_until(lambda report: depth(report) > 1, "it is nearer")

    def test_the_other_button_opens_a_menu(self):
        self.program.hover(QUERY)
        self.program.press(3)
        self.program.release(3)
        self.program.wait_until(lambda report: "canvas.menu.0" in report["rects"], "the menu is open")
        self.program.click("canvas.menu.0")
        self.program.wait_until(lambda report: "Copied 16,777,216" in report["messages"], "the count is copied")
        self.assertNotIn("canvas.menu.0", self.program.report()["rects"])

    def test_the_way_here_is_saved_as_frames(self):
        self.go_to_attention()
        self.program.hover("canvas.block.layer.attention", GROUND)
        self.program.press(3)
        self.program.release(3)
        report = self.program.wait_until(lambda report: "canvas.menu.0" in report["rects"], "the menu is open")
        last = max(int(name.rsplit(".", 1)[1]) for name in report["rects"] if name.startswith("canvas.menu."))
        self.program.click(f"canvas.menu.{last}")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "a folder is asked for")
        folder = self.home / "way"
        self.program.key("ctrl+a")
        self.program.type(str(folder))
        self.program.key("Return")
        self.program.wait_until(lambda report: (folder / "frames.txt").is_file() and "files.field" not in report["rects"],
                                "they are saved")
        self.assertTrue((folder / "0002.png").is_file())
        self.double_click(*self.program.point(QUERY), lambda report: report["canvas"]["place"] != ATTENTION,
                          "the window goes on")

    # What happens meanwhile.

    def test_the_window_sleeps_when_the_camera_has_come_to_rest(self):
        self.go_to_attention()
        self.program.move(5, 5)
        self.resting()
        before, began = self.processor_time(), time.monotonic()
        time.sleep(4)
        share = (self.processor_time() - before) / (time.monotonic() - began)
        self.assertLess(share, 0.02)

    def processor_time(self):
        with open(f"/proc/{self.program.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_another_size_of_the_window_keeps_the_place(self):
        self.go_to_head(9)
        for size in ((1280, 800), (1600, 1000)):
            before = self.resting()
            self.program.display.xdotool("windowsize", self.program.window, *size)
            self.program.wait_until(lambda report: self.places(report) != before, "the window has another size")
            self.resting()
            self.assertTrue(at(HEAD, 9)(self.program.report()), self.program.report()["canvas"])

    def test_another_preset_shows_the_same_place_or_one_around_it(self):
        self.go_to_head(9)
        for preset in ("gpt2", "llama-3-8b"):
            self.program.choose_preset(preset)
            report = self.program.wait_until(lambda report: report["preset"] == preset, f"{preset} is open")
            self.resting()
            report = self.program.report()
            self.assertEqual(report["canvas"]["place"], HEAD)
            self.assertLess(report["canvas"]["copy"], report["fields"]["heads"])

    def test_a_slider_keeps_the_place_in_sight(self):
        self.go_to_head(9)
        self.program.drag("architecture.dim.track", 0.4, 0.8, while_held=lambda: self.program.wait_until(
            lambda report: report["effects"], "the width follows the drag"))
        self.resting()
        self.assertTrue(at(HEAD, 9)(self.program.report()), self.program.report()["canvas"])


if __name__ == "__main__":
    import unittest

    unittest.main()
