# What-if in a real window: a point of a sweep is adopted, a step of sensitivity made, a preset opened from the shelf.
import csv
import unittest
import xml.etree.ElementTree

from harness import OpenTest


class WhatIf(OpenTest):
    def setUp(self):
        super().setUp()
        self.program.click("topbar.view.3")
        self.program.wait_until(lambda report: "sweep.chart" in report["rects"], "the sweep is drawn")

    def test_a_point_of_a_sweep_becomes_the_model_and_undo_goes_back(self):
        before = self.program.report()["total"]
        self.program.click("sweep.chart.0")
        report = self.program.wait_until(lambda report: report["total"] != before, "the point is the model")
        self.assertLess(report["total"], before)
        self.assertEqual(report["workspace"], "what-if")
        self.program.key("ctrl+z")
        self.program.wait_until(lambda report: report["total"] == before, "undo goes back")

    def test_two_numbers_make_a_map_and_its_cells_are_models(self):
        before = self.program.report()["total"]
        self.program.click("sweep.two")
        self.program.wait_until(lambda report: "sweep.range1.field" in report["rects"], "a second number varies")
        self.program.click("sweep.chart.3")
        self.program.wait_until(lambda report: report["total"] != before, "the cell is the model")

    def test_a_step_of_sensitivity_is_made(self):
        self.program.click("what_if.tab.sensitivity")
        self.program.click("sensitivity.chart.layers")
        report = self.program.wait_until(lambda report: report["total"] != 6738415616, "the step is made")
        self.assertEqual(report["total"], 6738415616 + 202383360)

    def test_an_answer_of_a_search_becomes_the_model(self):
        self.program.click("what_if.tab.solve")
        self.program.type_into("solve.amount.field", "8B")
        self.program.wait_until(lambda report: "solve.amount.reset" in report["rects"], "the amount is another")
        self.program.click("solve.answers.row.0")
        report = self.program.wait_until(lambda report: report["total"] != 6738415616, "the answer is the model")
        self.assertEqual(report["total"], 7952715776, "38 layers")
        self.program.key("ctrl+z")
        self.program.wait_until(lambda report: report["total"] == 6738415616, "undo goes back")

    def test_a_preset_is_opened_from_the_shelf(self):
        self.program.click("what_if.tab.shelf")
        self.program.click("shelf.chart.kimi-k2")
        self.program.wait_until(lambda report: report["preset"] == "kimi-k2", "the preset is open")

    def save(self, entry, task, path):
        left, top = self.program.point("sweep.chart", (0.3, 0.3))
        self.program.move(left, top)
        self.program.act("click", 3, events=2)
        self.program.click(f"menu.{entry}")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "the dialog is open")
        self.program.key("ctrl+a")
        self.program.type(str(path))
        self.program.key("Return")
        self.program.wait_until(lambda report: path.is_file() and "files.field" not in report["rects"], f"{task} is saved")

    def test_a_chart_is_saved_as_numbers_as_a_drawing_and_as_a_picture(self):
        self.save(1, "the table", self.home / "sweep.csv")
        with open(self.home / "sweep.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertIn(["Parameters", "32", "6738415616"], rows)
        self.save(2, "the drawing", self.home / "sweep.svg")
        root = xml.etree.ElementTree.parse(self.home / "sweep.svg").getroot()
        words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("Layers", words)
        self.save(3, "the picture", self.home / "sweep.png")
        head = (self.home / "sweep.png").read_bytes()[:24]
        left, top, right, bottom = self.program.rect("sweep.chart")
        self.assertAlmostEqual(int.from_bytes(head[16:20], "big"), right - left, delta=1)
        line = 18  # below the chart, which says what it is of
        self.assertAlmostEqual(int.from_bytes(head[20:24], "big"), bottom - top + line, delta=1)
        self.save(5, "the finer picture", self.home / "sweep4.png")
        head = (self.home / "sweep4.png").read_bytes()[:24]
        self.assertAlmostEqual(int.from_bytes(head[16:20], "big"), 4 * (right - left), delta=4)


if __name__ == "__main__":
    unittest.main()
