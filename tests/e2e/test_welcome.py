# The first minute in a real window: the card that says where to begin, what it leads to, and that it goes for good.
import unittest

from harness import WindowTest


class Welcome(WindowTest):
    def welcomed(self):
        program = self.start("--welcome")
        program.rect("panel.welcome")
        return program

    def gone(self, program, what):
        program.wait_until(lambda report: what not in report["rects"], f"{what} is gone")

    def test_a_test_sees_it_only_where_it_asks(self):
        program = self.start()
        self.assertNotIn("panel.welcome", program.rests()["rects"])
        program.stop()

    def test_one_press_takes_it_away_for_good(self):
        program = self.welcomed()
        program.click("welcome.dismiss")
        self.gone(program, "panel.welcome")
        program.stop()
        again = self.start()
        self.assertNotIn("panel.welcome", again.rests()["rects"])
        again.stop()

    def test_it_is_there_again_where_nobody_dismissed_it(self):
        program = self.welcomed()
        program.click("topbar.theme")
        program.wait_until(lambda report: report["theme"] == "light", "the theme is light")
        program.stop()
        again = self.start()
        again.rect("panel.welcome")
        again.stop()

    def test_what_is_tried_loses_its_mark(self):
        program = self.welcomed()
        program.drag("architecture.layers.track", 0.5, 0.6)
        self.gone(program, "welcome.pin.field")
        program.hover("welcome.pin.zoom")
        for _ in range(12):
            program.display.xdotool("click", 4)
            program.rests()
            if "welcome.pin.zoom" not in program.report()["rects"]:
                break
        self.gone(program, "welcome.pin.zoom")
        program.click("topbar.total")
        self.gone(program, "welcome.pin.number")
        self.assertEqual(program.report()["selection"], "total")
        program.rect("panel.welcome")
        program.stop()

    def test_each_way_in_leads_somewhere(self):
        for way, there in (("tour", lambda report: report["tour"]),
                           ("worksheet", lambda report: report["workspace"] == "worksheet"),
                           ("design", lambda report: report["selection"] == "field.dim"),
                           ("run", lambda report: report["workspace"] == "run")):
            with self.subTest(way=way):
                program = self.start("--welcome", name=way)
                program.click(f"welcome.{way}")
                program.wait_until(there, f"{way} is on the screen")
                self.assertNotIn("panel.welcome", program.report()["rects"])
                program.stop()

    def test_help_brings_it_back(self):
        program = self.start()
        program.key("ctrl+5")
        program.key("F1")
        program.click("help.welcome")
        program.rect("panel.welcome")
        self.assertEqual(program.report()["workspace"], "explore")
        program.stop()


if __name__ == "__main__":
    unittest.main()
