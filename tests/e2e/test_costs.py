# Memory and arithmetic in a real window: a device, training that is divided, what is impossible, a point of the roof.
import unittest

from harness import OpenTest

GIB = 1 << 30


class Costs(OpenTest):
    def setUp(self):
        super().setUp()
        self.program.click("topbar.view.2")
        self.program.wait_until(lambda report: report["workspace"] == "costs" and report["costs"],
                                "the figures are worked out")

    def test_a_device_is_chosen_and_tokens_are_typed(self):
        self.program.click("costs.device")
        self.program.type("a100")
        self.program.key("Return")
        self.program.wait_until(lambda report: report["costs"]["device"] == "a100", "the A100 is chosen")
        self.program.type_into("architecture.tokens.field", "2048")
        report = self.program.wait_until(lambda report: report["costs"]["kv_cache"] == GIB, "the cache takes 1 GiB")
        self.assertEqual(report["costs"]["kv_cache_per_token"], 512 * 1024)
        self.assertEqual(report["costs"]["weights"], 2 * report["total"])

    def test_training_is_divided_and_what_is_impossible_is_said(self):
        total = self.program.report()["total"]
        self.program.click("costs.mode.1")
        report = self.program.wait_until(lambda report: report["costs"]["training"], "the model is trained")
        self.assertEqual(report["costs"]["phase"], "training")
        self.assertEqual(report["costs"]["optimizer"], 12 * total)
        self.program.click("costs.zero.3")
        self.program.type_into("costs.devices.field", "8")
        report = self.program.wait_until(lambda report: report["costs"]["on_device"] < report["costs"]["total"],
                                         "eight devices divide it")
        held = report["costs"]
        self.assertLess(held["on_device"], held["activations"] + 3 * total)
        self.program.type_into("costs.tensor.field", "3")
        report = self.program.wait_until(
            lambda report: report["costs"]["wrong"] and "costs.tensor.error" in report["rects"],
            "eight devices are no groups of three")
        self.assertIn("8 devices cannot be divided into groups of 3", report["costs"]["wrong"])
        self.assertIn("9 devices", report["costs"]["wrong"])
        self.assertEqual(report["costs"]["on_device"], held["on_device"], "the last good figures stay")

    def test_a_point_of_the_roofline_is_an_operation(self):
        self.program.click("costs.roofline.logits")
        report = self.program.wait_until(lambda report: report["selection"] == "logits", "the operation is selected")
        self.program.click("costs.explore")
        report = self.program.wait_until(lambda report: report["workspace"] == "explore", "Explore shows it")
        self.assertEqual(report["selection"], "logits")

    def test_a_figure_opens_to_its_formula(self):
        self.program.click("costs.figure.cache")
        self.program.wait_until(lambda report: "costs.formula.cache" in report["rects"], "the formula is there")
        self.assertIn("inspector.factor.layers", self.program.report()["rects"])

    def test_explore_has_both_as_tabs(self):
        self.program.click("topbar.view.0")
        self.program.click("tables.tab.memory")
        self.program.click("memory.row.attention")
        self.program.wait_until(lambda report: report["selection"] == "component.attention", "attention is selected")
        self.program.click("tables.tab.compute")
        self.program.click("costs.runs.row.layer.attention.queries")
        self.program.wait_until(lambda report: report["selection"] == "layer.attention.queries", "queries are selected")

    def test_it_is_the_same_after_a_restart(self):
        self.program.click("costs.phase.1")
        self.program.wait_until(lambda report: report["costs"]["phase"] == "decode", "a token is decoded")
        saved = self.home / "state/headcount/document.json"
        self.program.wait_until(lambda report: saved.is_file() and '"decode"' in saved.read_text(), "it is saved")
        self.program.stop()
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["costs"], "the figures are there again")
        self.assertEqual(report["workspace"], "costs")
        self.assertEqual(report["costs"]["phase"], "decode")


if __name__ == "__main__":
    unittest.main()
