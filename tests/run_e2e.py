# run_e2e.py [RESULT [FILE]]: runs the tests in tests/e2e, or in one file of it, and writes a result file of the kind that
# GoogleTest writes, so that they are counted alike.
import pathlib
import sys
import unittest
import xml.etree.ElementTree as ElementTree

FOLDER = pathlib.Path(__file__).resolve().parent / "e2e"


class CountingResult(unittest.TextTestResult):
    """Remembers every case with its outcome; unittest itself remembers only those that did not pass."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.outcomes = {}

    def startTest(self, test):
        super().startTest(test)
        self.outcomes[test.id()] = None

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.outcomes[test.id()] = "failure"

    def addError(self, test, err):  # also of a class or a module that could not be set up
        super().addError(test, err)
        self.outcomes[test.id()] = "failure"

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.outcomes[test.id()] = "failure"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.outcomes[test.id()] = "failure"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.outcomes[test.id()] = "skipped"


def main():
    pattern = pathlib.Path(sys.argv[2]).name if len(sys.argv) > 2 else "test*.py"
    tests = unittest.defaultTestLoader.discover(str(FOLDER), pattern, top_level_dir=str(FOLDER))
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2, resultclass=CountingResult).run(tests)
    suite = ElementTree.Element("testsuite", name="e2e")
    for name, outcome in result.outcomes.items():
        case = ElementTree.SubElement(suite, "testcase", classname="e2e", name=name)
        if outcome:
            ElementTree.SubElement(case, outcome)
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        ElementTree.ElementTree(suite).write(sys.argv[1])
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
