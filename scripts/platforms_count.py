#!/usr/bin/env python3
"""Reads the JUnit file of ctest. Prints the numbers of tests that ran, passed, failed and were skipped, then a line per reason for skipping."""

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter


def skip_reason(case):
    """GoogleTest prints 'file:line: Skipped' and the reason on the lines after it."""
    output = case.findtext("system-out") or ""
    found = re.search(r"^.*: Skipped\n(.*)$", output, re.MULTILINE)
    return found.group(1).strip() if found and found.group(1).strip() else "no reason given"


def main():
    cases = ElementTree.parse(sys.argv[1]).getroot().findall("testcase")
    failed = sum(case.find("failure") is not None or case.get("status") == "fail" for case in cases)
    skipped = [case for case in cases if case.find("skipped") is not None or case.get("status") == "disabled"]
    print(len(cases) - len(skipped), len(cases) - len(skipped) - failed, failed, len(skipped))
    for (reason, count) in Counter(skip_reason(case) for case in skipped).items():
        print(f"{count} skipped: {reason}")


if __name__ == "__main__":
    main()
