"""Prints the version of the library beside this file."""
import pathlib
import re

TEXT = (pathlib.Path(__file__).parent / "cupel/cupel/cupel.h").read_text(encoding="utf-8")
print(".".join(re.search(rf"CUPEL_VERSION_{part} (\d+)", TEXT)[1] for part in ("MAJOR", "MINOR", "PATCH")))
