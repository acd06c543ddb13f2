"""What the tests of this folder share: each test is one statement about a system that a source names.

A test is a generator decorated with `@row(number, title)`; it yields a pair for everything it looked
at: whether that holds, and what it was.  `main` runs them all, says of each row what came of it, and
ends with the sum.
"""
import pathlib
import subprocess
import sys
import tempfile

ROWS = []


def row(number, title):
    def keep(test):
        ROWS.append((number, title, test))
        return test
    return keep


class Command:
    """The cupel command, run in a folder of its own."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return name

    def run(self, *arguments, stdin=""):
        """(exit status, standard output, standard error)"""
        result = subprocess.run([self.path, *arguments], cwd=self.folder, input=stdin, text=True,
                                capture_output=True, timeout=60, check=False)
        return result.returncode, result.stdout, result.stderr


def main():
    """Runs the rows with the command of the first argument, in a folder of their own; the exit status."""
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(sys.argv[1]).resolve()
        return run_rows(Command(str(path), pathlib.Path(place)))


def run_rows(cupel):
    passed = failed = 0
    for number, title, test in ROWS:
        good = bad = 0
        for holds, what in test(cupel):
            good, bad = good + bool(holds), bad + (not holds)
            if not holds:
                print(f"{number} {title}: {what}")
        if good + bad == 0:
            print(f"{number} {title}: nothing was looked at")
            bad = 1
        print(f"{number} {title}: {good} passed, {bad} failed")
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def skip():
    print("skipped: no ../shared")
    print("0 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit("this is no test by itself")
