"""Results as text."""


def number(value):
    if value is None:
        return "?"
    if isinstance(value, float) and (value == 0 or 0.01 <= abs(value) < 1e6):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"
    return f"{value:.4g}"


def cells(result):
    verdict = "ok" if result["pass"] else "FAILED"
    if "error" in result:
        return [result["name"], "", "", "", "", f"{verdict}: {result['error']}"]
    interval = f"{number(result['low'])} .. {number(result['high'])}"
    if "target" in result:
        return [result["name"], f"{number(result['ours'])} {result['unit']}",
                f"{number(result['theirs'])}, {result['peer']}",
                f"{number(result['ratio'])} ({interval})", f">= {result['target']:g}", verdict]
    return [result["name"], f"{number(result['ours'])} {result['unit']}", "", f"({interval})",
            f"<= {result['limit']:g}", verdict]


def line(result):
    return "  ".join(cell for cell in cells(result) if cell)


def table(known):
    rows = [["benchmark", "ours", "theirs", "ratio (95 %)", "needed", ""], *map(cells, known)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)] + [0]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                     for row in rows)
