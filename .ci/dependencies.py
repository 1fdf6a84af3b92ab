#!/usr/bin/env python3
"""Whether the dependencies are what `.ci/deny.toml` allows: licences, sources, one version of each. Also that nobody is pinned
to one exact version, and that none asks for a newer Rust than this project does.

Advisories are known only to `cargo deny`, which needs their database from GitHub; it runs where it is installed."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / ".ci" / "deny.toml"


def allowed(expression, licences):
    """Whether an SPDX expression can be met with these licences; an old `/` is an OR."""
    tokens = re.findall(r"\(|\)|[^\s()/]+|/", expression or "")

    def either():
        left = both()
        while tokens and tokens[0] in ("OR", "/"):
            tokens.pop(0)
            right = both()
            left = left or right
        return left

    def both():
        left = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            right = one()
            left = left and right
        return left

    def one():
        token = tokens.pop(0) if tokens else ""
        if token == "(":
            inside = either()
            tokens.pop(0)
            return inside
        if tokens and tokens[0] == "WITH":
            token = " ".join([token, tokens.pop(0), tokens.pop(0)])
        return token in licences

    return either() and not tokens


def version(text):
    return [int(part) for part in text.split(".")[:2]]


def strict(metadata):
    """The packages that the default members are made of. Crates beside them bring what they bring, which others do not compile:
    of those only licences and sources are looked at."""
    beside = {package["id"] for package in metadata["packages"] if package["source"] is None}
    beside -= set(metadata["workspace_default_members"])
    edges = {node["id"]: node["dependencies"] for node in metadata["resolve"]["nodes"]}
    found, left = set(), list(metadata["workspace_default_members"])
    while left:
        package = left.pop()
        if package not in found and package not in beside:
            found.add(package)
            left += edges[package]
    return found


def wrong(packages, rules, strict):
    """What is not as it should be, one line each."""
    licences, registries = set(rules["licenses"]["allow"]), rules["sources"]["allow-registry"]
    ours = [package for package in packages if package["source"] is None]
    oldest = min(version(package["rust_version"]) for package in ours if package["rust_version"])
    skipped = {skip["crate"] for skip in rules["bans"]["skip"]}
    versions = {}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if not allowed(package["license"], licences):
            yield f"{name}: licence {package['license']}"
        if package["source"] not in [None, *(f"registry+{registry}" for registry in registries)]:
            yield f"{name}: from {package['source']}"
        if package["id"] not in strict:
            continue
        if package["rust_version"] and version(package["rust_version"]) > oldest:
            yield f"{name}: needs Rust {package['rust_version']}"
        if f"{package['name']}@{package['version'].split('.')[0]}" not in skipped:
            versions.setdefault(package["name"], []).append(package["version"])
    yield from (f"{name}: versions {', '.join(found)}" for name, found in versions.items() if len(found) > 1)
    names = {package["name"] for package in ours}
    for package in ours:
        for dependency in package["dependencies"]:
            # the crates of this project are published together
            if dependency["req"].startswith("=") and dependency["name"] not in names:
                yield f"{package['name']}: {dependency['name']} is pinned to {dependency['req']}"
            if dependency["req"] == "*" and not dependency["path"]:
                yield f"{package['name']}: any version of {dependency['name']}"


def main():
    rules = tomllib.loads(RULES.read_text())
    call = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"]
    metadata = json.loads(subprocess.check_output(call, cwd=ROOT))
    packages = metadata["packages"]
    found = list(wrong(packages, rules, strict(metadata)))
    print("\n".join(found) or f"{len(packages)} packages: licences, sources, versions and Rust versions are as they should be")
    if shutil.which("cargo-deny"):
        check = ["cargo", "deny", "--config", str(RULES), "check", "advisories"]
        found += ["advisories"] if subprocess.run(check, cwd=ROOT).returncode else []
    else:
        print("ADVISORIES WERE NOT CHECKED: cargo-deny is not installed (`cargo install cargo-deny`)")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
