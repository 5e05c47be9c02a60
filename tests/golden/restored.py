#!/usr/bin/env python3
# Makes restored.json: small matrices as quantizers store them, and what their own code restores them to.
"""usage: restored.py

A case is {"name", "shape", "config", "tensors": {name: {"dtype", "shape", "bytes"}}, "numbers"}: bytes are hexadecimal,
numbers those of the restored matrix as the bits of big-endian float32. Restored by: transformers (fp8 in tiles, MXFP4
of gpt-oss), compressed-tensors 0.20, bitsandbytes 0.50 and AutoAWQ 0.2.9 (its packing_utils.py alone), all in float32;
of GPTQ by the formula of AutoGPTQ's own layer, scales[g_idx] * (q - (zeros + 1)), and of ModelOpt's NVFP4 by that of
its documentation. Needs torch and these packages; nothing is downloaded.
"""
import importlib.util
import json
import pathlib
import sys

import bitsandbytes.functional as bits_and_bytes
import numpy as np
import torch
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.compressors.nvfp4.helpers import unpack_fp4_from_uint8
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
from compressed_tensors.quantization.lifecycle.forward import dequantize
from transformers.integrations.finegrained_fp8 import _dequantize_fp8_weight
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

HERE = pathlib.Path(__file__).resolve().parent
OUT, IN = 24, 64
NAME = "model.layers.0.mlp.up_proj"
DTYPES = {
    torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int32: "I32", torch.int64: "I64",
    torch.int8: "I8", torch.uint8: "U8", torch.float8_e4m3fn: "F8_E4M3", torch.float8_e5m2: "F8_E5M2",
}


def awq_packing():
    package = importlib.util.find_spec("awq").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("packing", pathlib.Path(package) / "utils" / "packing_utils.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stored(tensor):
    data = tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    return {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape), "bytes": data.hex()}


def case(kind, tensors, numbers, name=NAME + ".weight", config=None):
    return {
        "kind": kind, "name": name, "shape": list(numbers.shape), "config": config or {},
        "tensors": {each: stored(tensor) for each, tensor in tensors.items()},
        "numbers": numbers.to(torch.float32).contiguous().numpy().astype(">f4").tobytes().hex(),
    }


def in_module(parts):
    return {NAME + "." + key: tensor for key, tensor in parts.items()}


def words(generator, *shape):
    return torch.randint(-2**31, 2**31 - 1, shape, generator=generator, dtype=torch.int64).to(torch.int32)


def scales(generator, *shape):
    return torch.rand(shape, generator=generator) * 0.1 + 0.01


def unpacked(packed, bits, axis):
    places = torch.arange(0, 32, bits)
    spread = packed.unsqueeze(axis + 1) >> places.view([-1 if i == axis + 1 else 1 for i in range(packed.dim() + 1)])
    return (spread & (2**bits - 1)).flatten(axis, axis + 1)


def gptq(generator, bits, group, shuffled=False, second=False):
    groups = IN // group
    parts = {
        "qweight": words(generator, IN * bits // 32, OUT),
        "qzeros": words(generator, groups, OUT * bits // 32),
        "scales": scales(generator, groups, OUT).half(),
    }
    order = torch.arange(IN) // group
    if shuffled:
        order = order[torch.randperm(IN, generator=generator)]
        parts["g_idx"] = order.to(torch.int32)
    zeros = unpacked(parts["qzeros"], bits, 1)
    if not second:
        zeros = (zeros + 1) & (2**bits - 1)
    whole = unpacked(parts["qweight"], bits, 0) - zeros[order]
    config = {"quant_method": "gptq", "bits": bits, "checkpoint_format": "gptq_v2" if second else "gptq"}
    return case(f"gptq-{bits}" + "-shuffled" * shuffled + "-v2" * second, in_module(parts),
                (parts["scales"].float()[order] * whole).T, config=config)


def awq(generator):
    parts = {
        "qweight": words(generator, IN, OUT // 8),
        "qzeros": words(generator, IN // 32, OUT // 8),
        "scales": scales(generator, IN // 32, OUT).half(),
    }
    numbers = awq_packing().dequantize_gemm(parts["qweight"], parts["qzeros"], parts["scales"].float(), 4, 32)
    return case("awq", in_module(parts), numbers.T, config={"quant_method": "awq", "bits": 4})


def compressed(generator, form, args, scale_shape, global_scale=None):
    weights = QuantizationArgs(**args)
    scheme = QuantizationScheme(targets=["Linear"], weights=weights)
    compressor = BaseCompressor.get_value_from_registry(form)
    scale = scales(generator, *scale_shape)
    state = {"weight": torch.randn(OUT, IN, generator=generator), "weight_scale": scale}
    if form.startswith("mxfp4"):
        state["weight_scale"] = 2.0 ** torch.randint(-6, -2, scale_shape, generator=generator)
    if not weights.symmetric:
        state["weight_zero_point"] = torch.randint(-7, 7, scale_shape, generator=generator).to(torch.int8)
    if global_scale is not None:
        state["weight_global_scale"] = torch.tensor([global_scale])
        state["weight_scale"] = (scale * global_scale).to(torch.float8_e4m3fn).float()
    parts = compressor.compress(state, scheme)
    if global_scale is None:
        numbers = compressor.decompress(dict(parts), scheme)["weight"]
    else:  # as its decompress, which makes bfloat16
        numbers = dequantize(unpack_fp4_from_uint8(parts["weight_packed"], OUT, IN, dtype=torch.float32),
                             parts["weight_scale"].float(), args=weights, dtype=torch.float32,
                             global_scale=parts["weight_global_scale"])
    kind = f"{form}-{weights.num_bits}-{weights.strategy}" + "-zeros" * (not weights.symmetric)
    return case(kind, in_module(parts), numbers)


def tiles(generator):
    weight = torch.randn(OUT + 3, IN + 8, generator=generator).to(torch.float8_e4m3fn)
    scale = scales(generator, 2, 5)
    numbers = _dequantize_fp8_weight(weight, scale, [16, 16], torch.float32)
    return case("fp8-tiles", in_module({"weight": weight, "weight_scale_inv": scale}), numbers,
                config={"quant_method": "fp8", "weight_block_size": [16, 16]})


def experts(generator):
    name = "model.layers.0.mlp.experts.gate_up_proj"
    blocks = torch.randint(0, 256, (3, OUT, IN // 32, 16), generator=generator, dtype=torch.uint8)
    powers = torch.randint(110, 140, (3, OUT, IN // 32), generator=generator, dtype=torch.uint8)
    numbers = convert_moe_packed_tensors(blocks, powers, dtype=torch.float32)
    return case("mxfp4", {name + "_blocks": blocks, name + "_scales": powers}, numbers, name=name)


def modelopt(generator):
    packed = torch.randint(0, 256, (OUT, IN // 2), generator=generator, dtype=torch.uint8)
    scale, second = scales(generator, OUT, IN // 16).to(torch.float8_e4m3fn), torch.tensor(0.37)
    table = torch.tensor([0, .5, 1, 1.5, 2, 3, 4, 6, -0.0, -.5, -1, -1.5, -2, -3, -4, -6])
    pairs = torch.stack([table[(packed & 15).long()], table[(packed >> 4).long()]], dim=-1).flatten(1)
    numbers = pairs * (scale.float() * second).repeat_interleave(16, dim=1)
    return case("nvfp4-modelopt", in_module({"weight": packed, "weight_scale": scale, "weight_scale_2": second}),
                numbers)


def four_bits(generator, kind, nested):
    weight = torch.randn(OUT, IN * 4, generator=generator)
    packed, state = bits_and_bytes.quantize_4bit(weight, blocksize=64, quant_type=kind, compress_statistics=nested)
    parts = {"weight": packed} | {"weight." + key: value for key, value in state.as_dict(packed=True).items()}
    return case(kind + "-nested" * nested, in_module(parts), bits_and_bytes.dequantize_4bit(packed, state))


def eight_bits(generator):
    weight = torch.randint(-127, 128, (OUT, IN), generator=generator).to(torch.int8)
    largest = scales(generator, OUT) * 10
    return case("int8-bitsandbytes", in_module({"weight": weight, "SCB": largest}),
                bits_and_bytes.int8_vectorwise_dequant(weight, largest))


def main():
    generator = torch.Generator().manual_seed(7)
    integers = {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 32, "symmetric": True}
    rows = {"num_bits": 8, "type": "int", "strategy": "channel", "symmetric": True}
    cases = [
        gptq(generator, 4, 32), gptq(generator, 4, 32, shuffled=True), gptq(generator, 8, 64),
        gptq(generator, 4, 16, second=True), awq(generator),
        compressed(generator, "pack-quantized", integers, (OUT, IN // 32)),
        compressed(generator, "pack-quantized", integers | {"symmetric": False}, (OUT, IN // 32)),
        compressed(generator, "pack-quantized", rows, (OUT, 1)),
        compressed(generator, "int-quantized", rows, (OUT, 1)),
        compressed(generator, "float-quantized", rows | {"type": "float"}, (OUT, 1)),
        compressed(generator, "float-quantized", rows | {"type": "float", "strategy": "tensor"}, (1,)),
        compressed(generator, "nvfp4-pack-quantized",
                   {"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16}, (OUT, IN // 16), 50.0),
        compressed(generator, "mxfp4-pack-quantized",
                   {"num_bits": 4, "type": "float", "strategy": "group", "group_size": 32}, (OUT, IN // 32)),
        tiles(generator), experts(generator), modelopt(generator), four_bits(generator, "nf4", False),
        four_bits(generator, "nf4", True), four_bits(generator, "fp4", True), eight_bits(generator),
    ]
    assert all(np.isfinite(np.frombuffer(bytes.fromhex(each["numbers"]), ">f4")).all() for each in cases)
    (HERE / "restored.json").write_text("[\n" + ",\n".join(json.dumps(each) for each in cases) + "\n]\n")
    print(*(each["kind"] for each in cases), file=sys.stderr)


if __name__ == "__main__":
    main()
