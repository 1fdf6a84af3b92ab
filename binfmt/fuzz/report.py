#!/usr/bin/env python3
"""What `run.sh` did: `report.py CORPUS TARGET..` prints a table from the logs, and fails where something was found."""

import re
import sys
from pathlib import Path


def main():
    corpus, targets = Path(sys.argv[1]), sys.argv[2:]
    print("| target | executions | exec/s | finds |\n|---|---:|---:|---:|")
    total, found = 0, []
    for target in targets:
        log = (corpus / f"{target}.log").read_text(errors="replace")
        executions = sum(map(int, re.findall(r"stat::number_of_executed_units: (\d+)", log)))
        seconds = sum(map(int, re.findall(r"^seconds: (\d+)", log, re.M)))
        # what is only slow is not a find; what ends a run always is
        finds = [path for path in sorted((corpus / "found" / target).iterdir()) if not path.name.startswith("slow-")]
        if executions == 0 and not finds:
            finds.append(f"{target} did not run: see {corpus / target}.log")
        print(f"| {target} | {executions:,} | {executions // max(seconds, 1):,} | {len(finds)} |")
        total += executions
        found += finds
    print(f"| all | {total:,} | | {len(found)} |")
    for path in found:
        print(f"found: {path}", file=sys.stderr)
    if found:
        print(f"A find is run again by its program with the path as argument; see {Path(__file__).parent / 'README.md'}.",
              file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
