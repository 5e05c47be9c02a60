# Two models side by side in a real window: chosen, swapped, edited, copied across, undone.
import unittest

from harness import OpenTest

LLAMA_3_LESS_LLAMA_2 = 1_291_845_632


class Compare(OpenTest):
    def setUp(self):
        super().setUp()
        self.program.click("topbar.view.1")
        self.program.wait_until(lambda report: report["compare"], "another model is beside it")
        self.choose_other("llama-3-8b")

    def choose_other(self, preset):
        self.program.click("topbar.other")
        self.program.type(preset)
        self.program.click(f"topbar.other.item.{preset}")
        self.program.wait_until(lambda report: report["compare"]["preset"] == preset, "B is chosen")

    def wait_for_difference(self, difference, what):
        return self.program.wait_until(lambda report: report["compare"]["difference"] == difference, what)

    def test_the_difference_is_the_published_one_and_swapped_its_negative(self):
        report = self.wait_for_difference(LLAMA_3_LESS_LLAMA_2, "the difference is there")
        self.assertEqual(report["compare"]["by_component"],
                         {"embedding": 394_264_576, "attention": -805_306_368, "feed_forward": 1_308_622_848,
                          "norm": 0, "output": 394_264_576})
        self.program.click("topbar.swap")
        report = self.wait_for_difference(-LLAMA_3_LESS_LLAMA_2, "the sides are swapped")
        self.assertEqual(report["preset"], "llama-3-8b")
        self.assertEqual(report["compare"]["preset"], "llama-2-7b")

    def test_a_field_of_the_other_model_is_edited_and_undo_takes_it_back(self):
        self.program.click("compare.b.field.layers")
        self.program.type_into("architecture.layers.field", "31")
        report = self.wait_for_difference(LLAMA_3_LESS_LLAMA_2 - 218_112_000, "a layer of B less")
        self.assertEqual(report["compare"]["fields"]["layers"], 31)
        self.assertEqual(report["fields"]["layers"], 32, "A stays")
        self.program.key("Escape")
        self.program.wait_until(lambda report: "compare.editor" not in report["rects"], "the editor is closed")
        self.program.key("ctrl+z")
        self.wait_for_difference(LLAMA_3_LESS_LLAMA_2, "undo brings B back")

    def test_a_field_is_copied_across(self):
        self.program.click("compare.a.field.kv_heads")
        self.program.click("compare.a.take")
        report = self.wait_for_difference(LLAMA_3_LESS_LLAMA_2 + 805_306_368, "attention is alike now")
        self.assertEqual(report["fields"]["kv_heads"], 8)

    def size_on(self, side, tensor):
        x0, y0, x1, y1 = self.program.rect(f"canvas{side}.{tensor}")
        return x1 - x0, y1 - y0

    def test_both_diagrams_have_one_scale_and_move_together(self):
        same, wider = "layer.attention.query.weight", "layer.feed_forward.up.weight"
        a, b = self.size_on("", same), self.size_on(".b", same)
        self.assertLessEqual(max(abs(x - y) for x, y in zip(a, b)), 0.6, "what is the same is as large")
        self.assertAlmostEqual(self.size_on(".b", wider)[0] / self.size_on("", wider)[0], 14336 / 11008, delta=0.02)
        self.program.click("canvas.zoom.out")

        def both_smaller(report):
            rects = [report["rects"].get(f"canvas{side}.{same}") for side in ("", ".b")]
            widths = [rect[2] - rect[0] for rect in rects if rect]
            return len(widths) == 2 and max(widths) < 0.8 * a[0] and abs(widths[0] - widths[1]) <= 0.6

        self.program.wait_until(both_smaller, "the other side has followed")

    def test_what_is_clicked_on_in_either_diagram_is_selected(self):
        for side, tensor in [(".b", "layer.feed_forward.up.weight"), ("", "layer.attention.key.weight")]:
            self.program.click(f"canvas{side}.{tensor}")
            self.program.wait_until(lambda report, tensor=tensor: report["selection"] == tensor, "it is selected")

    def test_tabs_and_splits_are_switched_and_kept_over_a_restart(self):
        self.program.click("compare.split.field")
        self.program.click("compare.tab.memory")
        self.program.wait_until(lambda report: report["compare"]["tab"] == "memory"
                                and report["compare"]["split"] == "field", "both are switched")
        saved = self.home / "state/headcount/document.json"
        self.program.wait_until(lambda report: saved.is_file() and '"tab": "memory"' in saved.read_text(), "it is saved")
        self.program.stop()
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["compare"], "it is compared again")
        self.assertEqual(report["compare"]["preset"], "llama-3-8b")
        self.assertEqual((report["compare"]["split"], report["compare"]["tab"]), ("field", "memory"))

    def test_what_is_pinned_is_what_edits_are_compared_with(self):
        self.program.click("compare.pin")
        self.wait_for_difference(0, "B is A")
        self.program.click("compare.a.field.vocab")
        self.program.type_into("architecture.vocab.field", "50000")
        report = self.wait_for_difference(-2 * 18_000 * 4_096, "B is what A was")
        self.assertEqual(report["compare"]["fields"]["vocab"], 32_000)


if __name__ == "__main__":
    unittest.main()
