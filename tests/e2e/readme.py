"""The README's commands for a cluster, taken from the README itself, so that they are what is tested."""
import re

import kube

BEGIN, END = "<!-- tests/e2e runs what follows -->", "<!-- as far as here -->"


def commands():
    """The lines that a reader types, continued ones joined."""
    text = (kube.ROOT / "README.md").read_text(encoding="utf-8")
    block = text.split(BEGIN)[1].split(END)[0]
    joined = re.sub(r"\\\n\s*", "", block)
    return [line[2:] for line in joined.splitlines() if line.startswith("$ ")]
