# Links in a real window: one that is opened, and one that is made of what is on the screen.
import unittest

from harness import ROOT, OpenTest

LINK = "https://example.org/#v=1&m=llama-2-7b&kv_heads=8&at=layer.attention.head:3&select=layer.attention.head.queries&tilt=1"


class Opened(OpenTest):
    arguments = (LINK,)

    def there(self, report):
        return (report["preset"] == "llama-2-7b" and report["fields"]["kv_heads"] == 8 and report["canvas"]["tilted"] and
                report["selection"] == "layer.attention.head.queries" and
                report["canvas"]["place"] == "layer.attention.head" and report["canvas"]["copy"] == 3)

    def test_the_window_is_as_it_was_where_the_link_was_made(self):
        self.program.wait_until(self.there, "model, place and selection are those of the link")

    def write_the_address(self):
        self.program.click("share.page")
        self.program.type("https://example.org/")

    def test_share_makes_the_same_link_again(self):
        self.program.wait_until(self.there, "the link is open")
        self.program.key("ctrl+l")
        report = self.program.wait_until(lambda report: report["link"], "the link is shown")
        self.assertEqual(report["link"], LINK[LINK.index("#"):])
        self.assertNotIn("share.qr", report["rects"], "without an address a telephone has nowhere to go")
        self.write_the_address()
        left, top, right, bottom = self.program.rect("share.qr")
        self.assertAlmostEqual(right - left, bottom - top)
        self.assertGreater(right - left, 200)
        self.program.key("Escape")
        report = self.program.wait_until(lambda report: "share.qr" not in report["rects"], "the link is closed")
        self.assertEqual(report["selection"], "layer.attention.head.queries", "Esc closes it, and nothing else")

    def test_a_class_gets_it_as_a_code(self):
        self.program.wait_until(self.there, "the link is open")
        self.program.key("F5")
        self.program.wait_until(lambda report: report["presenting"], "it is presented")
        self.program.key("ctrl+l")
        self.write_the_address()
        left, top, right, bottom = self.program.rect("share.qr")
        self.assertGreater(min(right - left, bottom - top), 200)
        self.program.key("Escape")
        self.program.wait_until(lambda report: "share.qr" not in report["rects"] and report["presenting"],
                                "the link is closed, and it is still presented")

    def test_a_copied_link_is_opened(self):
        self.program.wait_until(self.there, "the link is open")
        self.program.key("ctrl+l")
        self.program.rect("share.link")
        self.program.key("Escape")
        self.program.wait_until(lambda report: "share.link" not in report["rects"], "the link is closed")
        self.program.choose_preset("gpt2")
        self.program.key("ctrl+v")
        self.program.wait_until(self.there, "the copied link is open")

    def test_the_ask_bar_takes_a_link(self):
        self.program.key("ctrl+k")
        self.program.rect("ask.field")
        self.program.type("#v=1&m=gpt2&layers=6")
        self.program.key("Return")
        self.program.wait_until(lambda report: report["preset"] == "gpt2" and report["fields"]["layers"] == 6,
                                "the typed link is open")


if __name__ == "__main__":
    unittest.main()
