# The Worksheet view in a real window: a student answers, is told what is wrong, and loses nothing by a crash.
import json
import signal

from harness import OpenTest

WORKSHEET_TAB = "topbar.view.6"
SHAPES = {"head.input": (100, 4096), "head.queries": (100, 128), "head.keys": (100, 128), "head.values": (100, 128),
          "head.scores": (100, 100), "head.weights": (100, 100), "head.output": (100, 4096)}


def fields(report):
    found = {}
    for blank in ((report["worksheet"] or {}).get("blanks") or {}).values():
        found.update(blank["fields"])
    return found


class Worksheet(OpenTest):
    def setUp(self):
        super().setUp()
        self.program.click(WORKSHEET_TAB)
        self.program.wait_until(lambda report: report["worksheet"] and report["worksheet"]["id"] == "1-one-head",
                                "the first worksheet is open")

    def write(self, text):
        self.program.type(str(text))

    def marked(self, field, mark):
        return self.program.wait_until(lambda report: fields(report).get(field, {}).get("mark") == mark,
                                       f"{field} is {mark}")

    def replace(self, field, text):
        self.program.click(f"worksheet.{field}")
        self.program.key("ctrl+a")
        self.write(text)

    def test_a_sheet_is_answered_by_keys_and_a_wrong_head_is_explained_and_mended(self):
        self.program.click("worksheet.head.input.rows")
        for blank, (rows, columns) in SHAPES.items():
            self.write(rows)
            self.program.key("Tab")
            self.marked(f"{blank}.rows", "right")
            wrong = 4096 if blank == "head.queries" else columns
            self.write(wrong)
            self.program.key("Tab")
            self.marked(f"{blank}.columns", "right" if wrong == columns else "wrong")
            if wrong == columns:
                continue
            report = self.program.wait_until(lambda report: "worksheet.hint.head.queries" in report["rects"],
                                             "the hint is on the screen")
            hint = report["worksheet"]["blanks"]["head.queries"]["hint"]
            self.assertIn("32 heads", hint)
            self.assertNotIn("128", hint)
        report = self.program.report()
        self.assertEqual((report["worksheet"]["right"], report["worksheet"]["of"]), (13, 14))
        self.replace("head.queries.columns", "128")
        self.program.key("Return")
        report = self.marked("head.queries.columns", "right")
        self.program.wait_until(lambda report: "panel.worksheet_diagram" in report["rects"],
                                "the diagram shows what was found")
        self.assertEqual(report["preset"], "llama-2-7b", "the user's own model is left alone")
        self.assertFalse(report["can_undo"])
        self.program.stop()

    def test_a_hint_is_asked_for_the_row_that_one_is_in(self):
        self.program.click("worksheet.head.keys.columns")
        self.program.click("worksheet.ask_hint")
        self.program.wait_until(lambda report: "worksheet.told.head.keys" in report["rects"], "the row has its hint")
        self.assertNotIn("worksheet.told.head.values", self.program.report()["rects"])
        self.program.stop()

    def test_answers_survive_a_crash(self):
        self.program.click("worksheet.head.input.rows")
        self.write(100)
        self.program.key("Tab")
        self.marked("head.input.rows", "right")
        self.write(40)  # is still being typed
        self.program.wait_until(lambda report: fields(report)["head.input.columns"]["text"] == "40", "40 is typed")
        state = self.home / "state/headcount/document.json"
        self.program.wait_until(lambda report: state.exists() and "100 \u00d7 40" in state.read_text(encoding="utf-8"),
                                "it is saved")
        self.program.process.send_signal(signal.SIGKILL)
        self.program.process.wait()
        self.program = self.start()
        report = self.program.wait_until(lambda report: report["workspace"] == "worksheet" and fields(report),
                                  "the worksheet is open again")
        self.assertEqual(fields(report)["head.input.rows"], {"text": "100", "mark": "right"})
        self.assertEqual(fields(report)["head.input.columns"], {"text": "40", "mark": "typed"})

    def test_the_questions_are_answered_one_after_the_other_in_own_words(self):
        for number in range(2, 7):
            self.program.click(f"worksheet.question.{number}")
            report = self.program.wait_until(lambda report: report["worksheet"]["question"] == number,
                                             f"question {number} is open")
            blank = next(iter(report["worksheet"]["blanks"]))
            self.program.click(f"worksheet.{blank}")
            self.write(f"words{number}")
            self.program.wait_until(lambda report: fields(report)[blank]["text"] == f"words{number}", "it is typed")
        self.program.click("worksheet.question.2")
        self.program.wait_until(lambda report: [field["text"] for field in fields(report).values()] == ["words2"],
                                "the first of them is still there")
        self.program.stop()

    def test_a_worksheet_file_is_opened_as_one(self):
        sheet = {"title": "Mine", "architecture": "gpt2", "questions": [
            {"id": "width", "kind": "count", "title": "Width", "ask": "How wide is {name}?", "answer": "d"}]}
        path = self.home / "mine.json"
        path.write_text(json.dumps(sheet), encoding="utf-8")
        self.program.key("Escape")
        self.program.key("ctrl+o")
        self.program.wait_until(lambda report: "files.field" in report["rects"], "the file dialog is open")
        self.program.type("mine.json")
        self.program.key("Return")
        report = self.program.wait_until(lambda report: report["worksheet"] and report["worksheet"]["id"] == "mine",
                                         "the file's sheet is open")
        self.assertEqual(report["preset"], "llama-2-7b")
        self.program.click("worksheet.width")
        self.write(768)
        self.program.key("Return")
        self.marked("width", "right")
        self.program.stop()


if __name__ == "__main__":
    import unittest

    unittest.main()
