#!/usr/bin/env python3
# Makes ggml_blocks.json: blocks of every type of GGUF's that is computed with, and the numbers in them.
"""usage: ggml_blocks.py

For each type of TYPES it draws blocks of bytes, whose scales are numbers of moderate size, and has the package gguf
(0.19, of llama.cpp; its results are tested there against ggml's C code bit by bit) make float32 of them. `bytes` and
`numbers` are hexadecimal, the numbers as the bits of big-endian float32.
"""
import json
import pathlib

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, dequantize

HERE = pathlib.Path(__file__).resolve().parent
# Where float16 scales lie in a block of each type.
HALVES = {
    "Q8_0": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q2_K": [80, 82], "Q3_K": [108],
    "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0], "TQ1_0": [52], "TQ2_0": [64],
    "MXFP4": [], "NVFP4": [], "IQ2_XXS": [0], "IQ2_XS": [0], "IQ2_S": [0], "IQ3_XXS": [0], "IQ3_S": [0],
    "IQ1_S": [0], "IQ1_M": [],
}
BLOCKS = 3


def drawn(name, random):
    elements, size = GGML_QUANT_SIZES[GGMLQuantizationType[name]]
    blocks = random.integers(0, 256, (BLOCKS, size), dtype=np.uint8)
    for place in HALVES[name]:
        scales = (random.uniform(0.01, 2, BLOCKS) * random.choice([-1, 1], BLOCKS)).astype(np.float16)
        blocks[:, place:place + 2] = scales.view(np.uint8).reshape(BLOCKS, 2)
    if name == "IQ1_M":  # the scale's bits are above those of four numbers
        scales = random.uniform(0.01, 2, BLOCKS).astype(np.float16).view(np.uint16)
        for i in range(4):
            nibble = (scales >> (4 * i) & 15).astype(np.uint8)
            blocks[:, 49 + 2 * i] = blocks[:, 49 + 2 * i] & 0x0F | nibble << 4
    return blocks


def main():
    random = np.random.default_rng(20)
    made = {}
    for name in HALVES:
        blocks = drawn(name, random)
        numbers = dequantize(blocks, GGMLQuantizationType[name]).astype(">f4")
        assert np.isfinite(numbers).all(), name
        made[name] = {"bytes": blocks.tobytes().hex(), "numbers": numbers.tobytes().hex()}
    (HERE / "ggml_blocks.json").write_text(json.dumps(made, indent=0) + "\n")


if __name__ == "__main__":
    main()
