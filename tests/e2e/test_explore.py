# The Explore view in a real window: a person's actions and what must come of them.
import json
import unittest

from harness import ROOT, OpenTest, WindowTest
from png import read_png

TOTALS = {row["preset"]: row["total"]
          for row in json.loads((ROOT / "tests/golden/published.json").read_text(encoding="utf-8"))["totals"]}
PRESET = "llama-2-7b"  # What a first start opens.


def settled(preset):
    """Whether the preset is open and nothing is edited."""
    return lambda report: report["preset"] == preset and report["total"] == TOTALS[preset] and not report["effects"]


def selected(component):
    return lambda report: component in (report["selection"] or "")


class Editing(OpenTest):
    def drag_width(self, to=0.85):
        """Returns the report after the drag."""
        self.program.drag("architecture.dim.track", 0.4, to)
        return self.program.wait_until(
            lambda report: report["total"] != TOTALS[PRESET] and report["can_undo"], "the drag became an edit")

    def test_a_first_start_shows_the_exact_total_and_no_error(self):
        report = self.program.report()
        self.assertEqual(report["total"], 6738415616)
        self.assertEqual(report["errors"], [])
        self.assertEqual(report["messages"], [])

    def test_the_total_follows_the_width_slider_while_it_is_dragged(self):
        self.program.drag("architecture.dim.track", 0.4, 0.85, while_held=lambda: self.program.wait_until(
            lambda report: report["mouse_down"] and report["total"] > TOTALS[PRESET], "the total follows the drag"))

    def test_a_width_reached_by_dragging_is_always_possible(self):
        for to in (0.55, 0.71, 0.9):
            report = self.drag_width(to)
            self.assertEqual(report["errors"], [], f"width {report['fields']['dim']}")

    def test_the_effect_beside_the_slider_is_the_difference_to_the_preset(self):
        report = self.drag_width()
        self.assertEqual(report["effects"], {"dim": report["total"] - TOTALS[PRESET]})

    def ribbon(self, wanted):
        """Waits until the ribbon is there, or gone; returns its rectangle."""
        report = self.program.wait_until(lambda report: ("canvas.ribbon" in report["rects"]) == wanted,
                                         "the ribbon is there" if wanted else "the ribbon is gone")
        return report["rects"].get("canvas.ribbon")

    def test_after_a_drag_a_ribbon_says_what_changed_until_the_next_press(self):
        self.program.drag("architecture.ffn_dim.track", 0.4, 0.85, while_held=lambda: self.ribbon(False))
        ribbon = self.ribbon(True)
        for figure in ("parameters", "cache", "arithmetic"):
            x0, y0, x1, y1 = self.program.rect(f"canvas.ribbon.{figure}")
            self.assertGreaterEqual(x0, ribbon[0])
            self.assertLessEqual(x1, ribbon[2])
        zoom = self.program.rect("canvas.zoom")
        self.assertLessEqual(ribbon[2], zoom[0], "it covers no button")
        self.program.click("canvas.layer.attention.query.weight")
        self.ribbon(False)

    def test_escape_ends_the_ribbon(self):
        self.drag_width()
        self.ribbon(True)
        self.program.key("Escape")
        self.ribbon(False)

    def test_a_double_click_resets_a_slider_to_the_preset(self):
        self.drag_width()
        self.program.double_click("architecture.dim.track", (0.3, 0.5))
        report = self.program.wait_until(settled(PRESET), "the width is the preset's")
        self.assertEqual(report["fields"]["dim"], 4096)

    def test_one_undo_takes_back_a_whole_drag_and_redo_brings_it_again(self):
        dragged = self.drag_width()
        self.program.key("ctrl+z")
        report = self.program.wait_until(settled(PRESET), "the drag is undone")
        self.assertFalse(report["can_undo"])
        self.program.key("ctrl+shift+z")
        report = self.program.wait_until(lambda report: report["total"] == dragged["total"], "the drag is done again")
        self.assertEqual(report["fields"]["dim"], dragged["fields"]["dim"])
        self.assertFalse(report["can_redo"])

    def test_a_shortcut_counts_although_its_modifier_is_let_go_of_first(self):
        dragged = self.drag_width()
        for _ in range(3):
            self.program.quick_chord("ctrl+z")
            self.program.wait_until(settled(PRESET), "the drag is undone")
            self.program.quick_chord("ctrl+y")
            self.program.wait_until(lambda report: report["total"] == dragged["total"], "the drag is done again")

    def test_a_preset_is_chosen_from_the_menu_and_undo_returns_to_the_one_before(self):
        self.program.choose_preset("llama-3-8b")
        report = self.program.wait_until(settled("llama-3-8b"), "Llama 3 8B is open")
        self.assertEqual(report["fields"]["vocab"], 128256)
        self.program.key("ctrl+z")
        self.program.wait_until(settled(PRESET), "Llama 2 7B is open again")

    def test_a_typed_value_changes_the_total(self):
        self.program.type_into("architecture.layers.field", "33")
        report = self.program.wait_until(lambda report: report["fields"]["layers"] == 33, "there are 33 layers")
        self.assertEqual(report["total"], TOTALS[PRESET] + 202383360)

    def test_an_impossible_value_is_explained_changes_nothing_and_is_fixed_by_one_click(self):
        self.program.type_into("architecture.heads.field", "30")
        report = self.program.wait_until(lambda report: report["errors"], "30 heads are explained")
        self.assertEqual(report["fields"]["heads"], 30, "what was typed is not lost")
        self.assertEqual(report["total"], TOTALS[PRESET], "the last good total stays")
        said = [error["message"] for error in report["errors"] if error["field"] == "heads"]
        self.assertTrue(any("30" in message and "4096" in message.replace(",", "") for message in said), said)
        self.program.click("architecture.heads.fix")
        report = self.program.wait_until(lambda report: not report["errors"], "the fix repairs it")
        self.assertEqual(report["fields"]["heads"], 32)
        self.assertEqual(report["total"], TOTALS[PRESET])

    def test_a_click_on_a_slice_of_the_chart_selects_that_component(self):
        self.assertIsNone(self.program.report()["selection"])
        self.program.click("breakdown.slice.feed_forward")
        self.program.wait_until(selected("feed_forward"), "feed-forward is selected")

    def test_the_parameters_are_seen_as_tiles_and_as_bars(self):
        self.program.click("breakdown.as.treemap")
        self.program.wait_until(lambda report: "breakdown.treemap" in report["rects"] and
                                "breakdown.slice.attention" not in report["rects"], "tiles take the place of the rings")
        self.program.click("breakdown.treemap.layer.feed_forward.up.weight")
        self.program.wait_until(selected("feed_forward.up"), "a tile is a matrix")
        self.program.click("breakdown.as.bars")
        self.program.wait_until(lambda report: "breakdown.bars" in report["rects"], "bars take the place of tiles")
        self.program.click("breakdown.bars.attention")
        self.program.wait_until(selected("attention"), "a bar is a component")
        self.program.click("breakdown.as.donut")
        self.program.wait_until(lambda report: "breakdown.slice.attention" in report["rects"], "the rings are back")

    def test_the_same_thing_lights_up_from_the_chart_and_from_its_legend(self):
        self.program.hover("breakdown.slice.attention")
        slice_report = self.program.wait_until(lambda report: report["hover"], "the slice lights up")
        self.program.hover("breakdown.legend.feed_forward")
        self.program.wait_until(lambda report: "feed_forward" in (report["hover"] or ""), "another one lights up")
        self.program.hover("breakdown.legend.attention")
        self.program.wait_until(lambda report: report["hover"] == slice_report["hover"], "attention lights up again")

    def test_a_click_on_a_block_of_the_diagram_selects_it(self):
        self.program.click("canvas.block.layer.feed_forward", (0.02, 0.04))
        self.program.wait_until(selected("feed_forward"), "feed-forward is selected")

    def test_a_factor_of_a_formula_leads_to_its_slider(self):
        self.program.click("canvas.layer.feed_forward.up.weight")
        self.program.wait_until(lambda report: report["selection"] == "layer.feed_forward.up.weight", "W_up is selected")
        self.program.click("inspector.factor.ffn_dim")
        self.program.wait_until(lambda report: report["selection"] == "field.ffn_dim", "the slider is selected")
        self.program.key("Right")
        report = self.program.wait_until(lambda report: report["effects"], "the arrow key moved the slider")
        self.assertEqual(list(report["effects"]), ["ffn_dim"])

    def test_a_row_of_the_table_and_the_diagram_select_the_same_thing(self):
        self.program.click("tables.row.layer.attention.queries")
        self.program.wait_until(lambda report: report["selection"] == "layer.attention.queries", "the row is selected")
        self.program.click("canvas.layer.attention.query.weight")
        self.program.wait_until(lambda report: report["selection"] == "layer.attention.query.weight", "W_q is selected")
        self.program.hover("canvas.layer.attention.queries")
        self.program.wait_until(lambda report: report["hover"] == "layer.attention.queries", "the diagram lights it too")

    def test_the_theme_and_the_help_sheet_have_keys(self):
        before = self.program.report()["theme"]
        self.program.key("t")
        self.program.wait_until(lambda report: report["theme"] != before, "the theme has changed")
        self.program.key("F1")
        self.program.wait_until(lambda report: "help.close" in report["rects"], "the help sheet is open")
        self.program.key("Escape")
        self.program.wait_until(lambda report: "help.close" not in report["rects"], "the help sheet is closed")

    def test_a_larger_interface_has_larger_fields(self):
        def width(report):
            left, _, right, _ = report["rects"]["architecture.dim.field"]
            return right - left

        before = width(self.program.report())
        self.program.key("ctrl+plus")
        self.program.wait_until(lambda report: width(report) > before, "the fields are wider")
        self.program.key("ctrl+0")
        self.program.wait_until(lambda report: width(report) == before, "they are as before")

    def test_an_interface_too_large_for_the_window_is_refused_with_a_notice(self):
        def shown(report):
            return report["rects"]["architecture.dim.field"]

        report, widest = self.program.rests(), None
        while "notice" not in report["rects"]:
            self.assertNotEqual(shown(report), widest, "it grows, or a notice says that it ends here")
            widest = shown(report)
            self.program.key("ctrl+plus")
            report = self.program.rests()
        widest = shown(report)  # the last step is as large as there is room for
        self.program.key("ctrl+plus")
        self.assertEqual(shown(self.program.rests()), widest)
        self.program.key("ctrl+0")
        self.program.wait_until(lambda report: shown(report) != widest, "the usual size is back")

    def test_selecting_is_not_an_edit(self):
        self.program.click("breakdown.slice.attention")
        report = self.program.wait_until(lambda report: report["selection"], "attention is selected")
        self.assertFalse(report["can_undo"])


class State(WindowTest):
    def saved_files(self):
        """Whatever the program keeps: the test does not care where or in what form."""
        places = [self.home / place for place in ("config", "data", "state")]
        return [file for place in places for file in place.rglob("*") if file.is_file()]

    def edit_and_leave(self):
        """Sets a vocabulary that no preset has, waits until it is saved, and ends the program. Returns its report."""
        program = self.start()
        program.type_into("architecture.vocab.field", "54321")
        report = program.wait_until(lambda report: report["fields"]["vocab"] == 54321, "the vocabulary is set")
        program.wait_until(lambda report: self.holding_the_edit(), "the edit is saved without being asked for")
        program.stop()
        return report

    def holding_the_edit(self):
        return [file for file in self.saved_files() if b"54321" in file.read_bytes()]

    def test_the_document_is_restored_at_the_next_start(self):
        before = self.edit_and_leave()
        program = self.start()
        after = program.report()
        self.assertEqual(after["fields"], before["fields"])
        self.assertEqual(after["total"], TOTALS[PRESET] + 2 * 4096 * (54321 - 32000))
        self.assertEqual(after["messages"], [])
        program.stop()

    def test_a_damaged_saved_document_is_set_aside_with_a_message(self):
        self.edit_and_leave()
        document = self.holding_the_edit()[0]
        good = document.read_bytes()
        damages = {"empty": b"", "cut off": good[:len(good) // 2], "not text": bytes(range(256)), "a list": b"[1, 2]",
                   "a number out of range": good.replace(b"54321", b"9" * 30),
                   "a text for a number": good.replace(b"54321", b'"many"'),
                   "nested without end": b"[" * 100000}
        for name, damage in damages.items():
            with self.subTest(name):
                document.write_bytes(damage)
                program = self.start()
                report = program.wait_until(lambda report: report["messages"], "the damage is told")
                self.assertEqual(report["total"], TOTALS[PRESET])
                kept = [file for file in self.saved_files() if file.read_bytes() == damage and file != document]
                self.assertTrue(kept, "what was saved is kept beside the new document")
                program.stop()


class Pictures(WindowTest):
    def shows_something(self, path, size):
        width, height, rows = read_png(path)
        self.assertEqual((width, height), size)
        self.assertGreater(len(set(rows)), height // 4, "the picture shows too little to be the window")
        return rows

    def test_a_screenshot_is_a_picture_of_the_asked_size_and_needs_no_display(self):
        for display in (True, False):
            with self.subTest(display=display):
                path = self.home / f"screenshot-{display}.png"
                done = self.run_once("--screenshot", path, "--size", "1280x720", display=display)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.shows_something(path, (1280, 720))

    def test_render_makes_the_same_picture_as_a_screenshot(self):
        shot, rendered = self.home / "screenshot.png", self.home / "rendered.png"
        self.assertEqual(self.run_once("--screenshot", shot, "--size", "1280x720").returncode, 0)
        done = self.run_once("render", PRESET, "--size", "1280x720", "-o", rendered, display=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.shows_something(shot, (1280, 720)) == self.shows_something(rendered, (1280, 720)))

    def test_a_picture_that_cannot_be_written_is_an_error_that_names_the_file(self):
        done = self.run_once("--screenshot", self.home / "missing" / "picture.png", "--size", "640x480")
        self.assertEqual(done.returncode, 1)
        self.assertIn("picture.png", done.stderr)


if __name__ == "__main__":
    unittest.main()
