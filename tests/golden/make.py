"""The form of golden files: one line a field and one line a tensor, so that a difference reads well."""
import json
import math
import sys


def ranges(layers):
    """[0, 1, 2, 5] -> [[0, 2], [5, 5]]: first and last, both included."""
    runs = []
    for layer in layers:
        if runs and layer == runs[-1][1] + 1:
            runs[-1][1] = layer
        else:
            runs.append([layer, layer])
    return runs


def compact(row):
    row = dict(row)
    if "layers" in row:
        row["layers"] = ranges(row["layers"])
    return row


def check(model):
    """A model that contradicts itself must not become a golden file."""
    total = sum(math.prod(row["shape"]) * row["count"] for row in model["tensors"])
    if total != model["total"]:
        sys.exit(f"{model['id']}: its tensors sum to {total}, its total says {model['total']}")


def text(model):
    lines = []
    for key, value in model.items():
        if key in ("tensors", "buffers") and value:
            rows = ",\n".join("  " + json.dumps(compact(row)) for row in value)
            lines.append(f' {json.dumps(key)}: [\n{rows}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
