#!/usr/bin/env python3
"""A table and a picture of what bench.py and networks.py measured.

  report.py RESULTS.jsonl [--page PAGE.md] [--short] [--picture PICTURE.svg]

What later lines say of a model and an engine counts. The table goes between the lines <!-- NAME --> and
<!-- /NAME --> of the page, NAME being RESULTS, or to standard output. The picture shows mlc's time over that of
onnxruntime and of OpenVINO, on a logarithmic scale, one row a model, the slowest beside the first of them first. A model that
mlc refuses stands in both. Milliseconds in the table are the tenth percentile.
"""
import argparse
import json
import math
import os
import re
import statistics
from html import escape

from bench import slowness

NAMES = {"ort": "onnxruntime", "ov": "OpenVINO"}


def read(path):
    """Model → engine → what its lines say; an error is all that is known until a later line."""
    results = {}
    with open(path) as file:
        for line in filter(str.strip, file):
            row = json.loads(line)
            if "engine" not in row:
                continue
            rows = results.setdefault(row["model"], {})
            known = rows.get(row["engine"], {})
            rows[row["engine"]] = row if "error" in row or "error" in known else {**known, **row}
    return {model: rows for model, rows in results.items() if "mlc" in rows}


def worst_first(results):
    return sorted(results, key=lambda model: (-slowness(results[model]["mlc"]), model))


def geometric_mean(results, key):
    values = [rows["mlc"][key] for rows in results.values() if key in rows["mlc"]]
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def circumstances(results):
    """Threads, versions and the processor, as the rows have them."""
    rows = [row for model in results.values() for row in model.values()]
    threads = sorted({row["threads"] for row in rows if "threads" in row})
    parts = [f"{', '.join(map(str, threads))} thread{'' if threads == [1] else 's'}"]
    for engine, name in NAMES.items():
        found = {row["version"] for row in rows if row["engine"] == engine and "version" in row}
        versions = sorted(version.partition("-")[0] for version in found)
        parts += [f"{name} {', '.join(versions)}"] if versions else []
    parts += sorted({row["processor"] for row in rows if "processor" in row})
    return "; ".join(parts)


# --------------------------------------------------------------------------- the table


def cell(text):
    """A text in a cell of a Markdown table."""
    return escape(" ".join(str(text).split()), quote=False).replace("\\", "\\\\").replace("|", "\\|")


def number(value):
    """Three digits."""
    return "" if value is None else f"{value:.0f}" if value >= 99.95 else f"{value:.3g}"


def ratio(value):
    return "" if value is None else f"{value:.2f}"


# A column of figures beside the times: its title, whose it is, the key of the row, and how many of those one is.
MORE = [
    ("`mlc compile`, s", "mlc", "compile_s", 1),
    ("code, kB", "mlc", "code_bytes", 1000),
    ("load, ms", "mlc", "load_ms", 1),
    ("first, ms", "mlc", "first_ms", 1),
    ("memory, MB", "mlc", "rss_peak_mb", 1),
    ("onnxruntime's, MB", "ort", "rss_peak_mb", 1),
    ("signal to noise, dB", "mlc", "snr_db", 1),
]


def figure(rows, column):
    _, engine, key, unit = column
    value = rows.get(engine, {}).get(key)
    return None if value is None else value / unit


def table(results, short=False):
    """Times and their ratios; what else was measured, unless the table is to be short."""
    engines = [engine for engine in NAMES if any(engine in rows for rows in results.values())]
    columns = ["model", *[f"{NAMES[engine]}, ms" for engine in engines], "mlc, ms"]
    columns += [f"mlc / {NAMES[engine]}" for engine in engines]
    more = [column for column in MORE if not short and any(figure(rows, column) is not None for rows in results.values())]
    lines = [columns + [title for title, *_ in more], ["---"] * (len(columns) + len(more))]
    for model in worst_first(results):
        rows = results[model]
        own = rows["mlc"]
        line = [cell(model)]
        line += [number(rows.get(engine, {}).get("ms_p10")) for engine in engines]
        line.append(cell(own["error"]) if "error" in own else number(own.get("ms_p10")))
        line += [ratio(own.get(f"ratio_{engine}")) for engine in engines]
        lines.append(line + [number(figure(rows, column)) for column in more])
    means = [ratio(geometric_mean(results, f"ratio_{engine}")) for engine in engines]
    lines.append(["geometric mean", *[""] * (len(engines) + 1), *means, *[""] * len(more)])
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines).replace("|  |", "| |").replace("|  |", "| |")
    return f"{cell(circumstances(results))}.\n\n{text}\n"


def insert(page, name, text):
    """Puts the text between the page's markers."""
    with open(page) as file:
        before = file.read()
    pattern = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(\n<!-- /{re.escape(name)} -->)", re.DOTALL)
    if not pattern.search(before):
        raise SystemExit(f"{page} has no lines <!-- {name} --> and <!-- /{name} -->")
    after = pattern.sub(lambda match: match[1] + "\n" + text + match[2], before)
    with open(page, "w") as file:
        file.write(after)


# --------------------------------------------------------------------------- the picture

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .ground { fill: #ffffff } .faint { fill: #59636e } .grid { stroke: #d1d9e0 } .one { stroke: #1f2328 }
  .ort { fill: #2a78d6 } .ov { fill: #d9822b }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .ground { fill: #0d1117 } .faint { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #f0f6fc }
    .ort { fill: #4a93ec } .ov { fill: #e39a4f }
  }
"""
LEFT, RIGHT, TOP, BAR, WIDTH = 210, 110, 66, 8, 800
TICKS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20)


def element(tag, content=None, **attributes):
    """One element; what it contains and its attributes are escaped."""
    text = "".join(f' {key.replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return f"<{tag}{text}/>" if content is None else f"<{tag}{text}>{escape(str(content))}</{tag}>"


def words(x, y, content, kind="", anchor="start"):
    more = {"class": kind} if kind else {}
    return element("text", content, x=round(x, 1), y=round(y, 1), text_anchor=anchor, **more)


def picture(results):
    models = worst_first(results)
    engines = [engine for engine in NAMES if any(f"ratio_{engine}" in rows["mlc"] for rows in results.values())]
    own = {model: [results[model]["mlc"].get(f"ratio_{engine}") for engine in engines] for model in models}
    values = [value for ratios in own.values() for value in ratios if value]
    low, high = min([0.7, *values]) / 1.05, max([1.5, *values]) * 1.05
    row = BAR * len(engines) + 8
    bottom = TOP + row * (len(models) + 1) + 4

    def place(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(value / low) / math.log(high / low)

    title = "Time of mlc over that of " + " and of ".join(NAMES[engine] for engine in engines)
    parts = [
        element("title", title),
        element("style", "\0"),
        element("rect", width=WIDTH, height=bottom + 24, **{"class": "ground"}),
        words(12, 20, title + ": left of 1, mlc is faster"),
        words(12, bottom + 16, circumstances(results), "faint")]
    for number, engine in enumerate(engines):
        x = LEFT + 130 * number
        parts.append(element("rect", x=x, y=32, width=10, height=10, **{"class": engine}))
        parts.append(words(x + 16, 41, NAMES[engine]))
    for tick in TICKS:
        if low <= tick <= high:
            kind = {"class": "one" if tick == 1 else "grid"}
            parts.append(words(place(tick), TOP - 6, f"{tick:g}", "faint", "middle"))
            x = round(place(tick), 1)
            parts.append(element("line", x1=x, x2=x, y1=TOP, y2=bottom - 4, **kind))
    means = [geometric_mean(results, f"ratio_{engine}") for engine in engines]
    for line, (name, ratios) in enumerate([*own.items(), ("geometric mean", means)]):
        top = TOP + line * row + 4
        middle = top + BAR * len(engines) / 2 + 4
        parts.append(words(LEFT - 8, middle, name, anchor="end"))
        for number, (engine, value) in enumerate(zip(engines, ratios)):
            if not value:
                continue
            start, end = sorted((place(1), place(value)))
            parts.append(element(
                "rect", x=round(start, 1), y=top + BAR * number, width=round(max(end - start, 1), 1), height=BAR - 1,
                **{"class": engine}))
        shown = " · ".join(f"{value:.2f}" if value else "–" for value in ratios)
        refused = name in results and "error" in results[name]["mlc"]
        parts.append(words(WIDTH - 12, middle, "refused" if refused else shown, "faint", "end"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 24}" width="{WIDTH}" role="img">'
    return "\n".join([head, *parts, "</svg>\n"]).replace("\0", STYLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="RESULTS.jsonl")
    parser.add_argument("--page", help="where the table goes")
    parser.add_argument("--short", action="store_true", help="times and ratios alone")
    parser.add_argument("--picture", help="where the picture goes")
    options = parser.parse_args()
    results = read(options.results)
    if not results:
        raise SystemExit(f"{options.results} has no results of mlc")
    name = os.path.basename(options.results).removesuffix(".jsonl")
    text = table(results, options.short)
    if options.picture:
        with open(options.picture, "w") as file:
            file.write(picture(results))
    if options.page:
        insert(options.page, name, text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
