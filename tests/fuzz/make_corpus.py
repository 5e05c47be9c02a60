# Writes what the fuzz targets begin with: good files of each format, and the words that their readers know.
import argparse
import json
import math
import pathlib
import re
import struct

ROOT = pathlib.Path(__file__).resolve().parents[2]


def safetensors():
    header = {"__metadata__": {"format": "pt"},
              "model.norm.weight": {"dtype": "BF16", "shape": [4], "data_offsets": [0, 8]},
              "lm_head.weight": {"dtype": "F32", "shape": [2, 4], "data_offsets": [8, 40]},
              "scalar": {"dtype": "I64", "shape": [], "data_offsets": [40, 48]}}
    model = {"model.embed_tokens.weight": [16, 8], "model.norm.weight": [8], "lm_head.weight": [16, 8]}
    for i in range(2):
        layer = {"input_layernorm": [8], "post_attention_layernorm": [8], "self_attn.q_proj": [8, 8],
                 "self_attn.k_proj": [4, 8], "self_attn.v_proj": [4, 8], "self_attn.o_proj": [8, 8],
                 "mlp.gate_proj": [12, 8], "mlp.up_proj": [12, 8], "mlp.down_proj": [8, 12]}
        model |= {f"model.layers.{i}.{name}.weight": shape for name, shape in layer.items()}
    llama, end = {}, 0
    for name, shape in model.items():
        begin, end = end, end + math.prod(shape)
        llama[name] = {"dtype": "U8", "shape": shape, "data_offsets": [begin, end]}
    for some in ({}, dict(list(header.items())[:2]), header, llama):
        text = json.dumps(some, separators=(",", ":")).encode()
        size = max((each.get("data_offsets", [0, 0])[1] for each in some.values()), default=0)
        yield struct.pack("<Q", len(text)) + text + bytes(size)


def safetensors_index():
    for count in (1, 5):
        names = {f"layer.{i}.weight": f"model-{i % 2:05}.safetensors" for i in range(count)}
        yield json.dumps({"metadata": {"total_size": 64 * count}, "weight_map": names}).encode()


def llama2c(vocab=10):
    dim, hidden, layers, heads, kv_heads, _, positions = numbers = (8, 12, 2, 4, 2, vocab, 16)
    matrices = layers * (2 * dim * dim + 2 * dim * (dim // heads) * kv_heads + 3 * dim * hidden)
    norms, table, angles = (2 * layers + 1) * dim, vocab * dim, positions * (dim // heads)
    yield struct.pack("<7i", *numbers) + bytes(4 * (table + norms + matrices + angles))
    own_output = numbers[:5] + (-vocab, positions)
    yield struct.pack("<7i", *own_output) + bytes(4 * (2 * table + norms + matrices + angles))
    for version, rest, size in ((1, b"\1", 4 * (table + norms + matrices)),
                                (2, b"\1" + struct.pack("<i", 4), 4 * norms + 2 * (table + matrices))):
        head = struct.pack("<Ii7i", 0x616B3432, version, *numbers) + rest
        yield head.ljust(256, b"\0") + bytes(size)


def gguf_text(text):
    return struct.pack("<Q", len(text)) + text.encode()


def gguf_value(value):
    """What a key of a header is, with its type before it."""
    if isinstance(value, dict):  # of a list that is too long for a golden file its length
        value = ["a"] * value["length"]
    if value is None:  # which JSON has in the place of infinity
        value = math.inf
    if isinstance(value, list):
        kind = gguf_value(value[0])[:4] if value else struct.pack("<I", 4)
        return struct.pack("<I", 9) + kind + struct.pack("<Q", len(value)) + b"".join(gguf_value(each)[4:] for each in value)
    if isinstance(value, bool):
        return struct.pack("<IB", 7, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + gguf_text(value)
    return struct.pack("<If", 6, value) if isinstance(value, float) else struct.pack("<Ii", 5, value)


def gguf_kinds(part=1):
    """A file of each kind whose header the golden tests have (states, encoders, both, mixtures), sides divided by this."""
    for file in sorted((ROOT / "tests/golden/gguf_headers").glob("*.json")):
        golden = json.loads(file.read_text())
        keys = [gguf_text(key) + gguf_value(value) for key, value in golden["metadata"].items()]
        tensors, end = [], 0
        for name, shape in golden["tensors"].items():
            shape = [max(1, side // part) for side in shape]
            tensors.append(gguf_text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), 1, end))
            end += -(-2 * math.prod(shape) // 32) * 32  # F16
        head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys) + b"".join(tensors)
        yield head + bytes(-len(head) % 32 + end)


def gguf():
    yield from gguf_kinds(8)  # as short as the fuzz targets' inputs
    keys = [gguf_text("general.architecture") + struct.pack("<I", 8) + gguf_text("llama"),
            gguf_text("general.alignment") + struct.pack("<II", 4, 32),
            gguf_text("llama.block_count") + struct.pack("<II", 4, 1),
            gguf_text("llama.rope.freq_base") + struct.pack("<If", 6, 10000.0),
            gguf_text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 3) + b"".join(map(gguf_text, "abc")),
            gguf_text("tokenizer.ggml.scores") + struct.pack("<IIQ3f", 9, 6, 3, 0, 0, 0),
            gguf_text("a.flag") + struct.pack("<IB", 7, 1)]
    tensors = [gguf_text("token_embd.weight") + struct.pack("<IQQIQ", 2, 32, 3, 2, 0),
               gguf_text("output_norm.weight") + struct.pack("<IQIQ", 1, 32, 0, 64)]
    for version in (2, 3):
        for some_keys, some_tensors, size in (([], [], 0), (keys, tensors, 64 + 128), (keys[:2], tensors[:1], 54)):
            head = b"GGUF" + struct.pack("<IQQ", version, len(some_tensors), len(some_keys))
            head += b"".join(some_keys) + b"".join(some_tensors)
            yield head + bytes(-len(head) % 32 + size)


def presets():
    for file in sorted((ROOT / "assets/presets").glob("*.json")):
        yield json.loads(file.read_text())


def config_json():
    for preset in presets():
        if "config" in preset:
            yield json.dumps(preset["config"]).encode()


def params_json():
    common = {"dim": 4096, "n_layers": 32, "n_heads": 32, "norm_eps": 1e-05}
    for more in ({"multiple_of": 256, "vocab_size": -1},
                 {"n_kv_heads": 8, "ffn_dim_multiplier": 1.3, "multiple_of": 1024, "vocab_size": 128256,
                  "rope_theta": 500000.0, "use_scaled_rope": True},
                 {"head_dim": 128, "hidden_dim": 14336, "n_kv_heads": 8, "sliding_window": 4096, "vocab_size": 32000,
                  "moe": {"num_experts": 8, "num_experts_per_tok": 2}}):
        yield json.dumps({**common, **more}).encode()


def document_json():
    fields = {"dim": "512", "layers": "8", "heads": "8", "kv_heads": "2", "ffn_dim": "1376", "vocab": "32000"}
    arch = {"type": "llama", "name": "Small", "fields": fields}
    yield json.dumps({"architecture": arch}).encode()
    yield json.dumps({"architecture": arch, "base": arch, "input": {"tokens": 100, "batch": 2, "cached": 7},
                      "view": {"theme": "light", "scale": 1.5, "tab": "shapes", "recent": ["/a/config.json"]}}).encode()


def link():
    yield b"#v=1&m=llama-2-7b&kv_heads=8&at=layer.attention.head:3&select=layer.attention.head.queries&tilt=1&theme=light"
    yield b"https://example.org/#v=1&m=gpt2&view=run&off=layer.1.attention.head:3&scale=layer.0.attention=0.5&prompt=A+%26+B"
    yield b"v=2&m=mixtral-8x7b&experts=4&view=what-if:solve&what_if.solve.total=8B&vary=layers=8..64:8&hide=total"
    yield b"#v=1&view=compare&with=gpt2&with.layers=6&compare.tab=all&costs.phase=training&devices=8&kv_dtype=int8"
    yield b"#v=1&m=gpt2&view=train&train.task=copy&train.learning_rate=0.01&train.source=own&train.seed=7"
    yield b"#v=1&m=gpt2&view=worksheet&sheet=1-one-head&seed=5&question=2&present=1&tour=3-one-attention-head&step=3"


def lessons(folder, several):
    """Each question or claim of the shipped files, as a file of its own: short enough to be changed anywhere."""
    for file in sorted((ROOT / "assets" / folder).glob("*.json")):
        whole = json.loads(file.read_text())
        for one in whole[several]:
            yield json.dumps({**whole, several: [one]}, ensure_ascii=False).encode()


def worksheet_json():
    yield from lessons("worksheets", "questions")
    own = {"title": "Own", "architecture": "own", "questions": [
        {"id": "a", "kind": "count", "title": "A", "ask": "How many?", "answer": "L*(4*d*d + ceil_to(8*d/3, 256))",
         "round": 2},
        {"id": "b", "kind": "formula", "title": "B", "ask": "In symbols?", "answer": "min(h, 4)*max(d_h, 2)"},
        {"id": "c", "kind": "text", "title": "C", "ask": "Why?", "lines": 3}]}
    yield json.dumps(own).encode()


def claims_json():
    yield from lessons("claims", "claims")


def tour_json():
    yield from lessons("tours", "steps")
    own = {"title": "Own", "about": "A", "preset": "gpt2", "input": {"tokens": 7}, "steps": [
        {"title": "{h} heads", "caption": "{count of model}", "at": "layer.attention.head", "copy": 3,
         "select": "field.dim", "light": ["component.attention"], "unless": "layer.attention.query_norm.weight"},
        {"title": "B", "caption": "{d}", "preset": "own", "set": {"vocab": 50000}, "ask": "Why?", "answer": "{V}"}]}
    yield json.dumps(own).encode()


def answers_file():
    given = {"head.queries": "100 x 128", "head.keys": "T × d_h", "head.scores": "100×4,096", "exit": "Because."}
    yield json.dumps({"worksheet": "1-one-head", "student": "Ada", "seed": 7, "answers": given}).encode()
    yield json.dumps({"answers": {"head.input": "4k"}}).encode()
    yield 'question,answer\nhead.queries,100 x 128\nhead.keys,"100×4,096"\n'.encode()
    yield 'student,head.queries,head.values\nAda,100 x 128,\n"Grace ""G""",4096,"T,d_h"\n'.encode()


def small_tokenizers():
    """Those of the golden tests with little of their vocabulary, so that they can be changed anywhere."""
    for file in sorted((ROOT / "tests/golden/tokenizers").glob("*.json")):
        if file.name == "expected.json":
            continue
        whole = json.loads(file.read_text())
        model, names = whole["model"], {each["content"] for each in whole["added_tokens"]}
        if model["type"] == "Unigram":  # ids are places: what is left of the list is its beginning
            model["vocab"] = model["vocab"][:120]
            yield whole
            continue
        ids = {text: id for text, id in model["vocab"].items() if len(text) <= 6 and id < 330 or text in names}
        model["vocab"] = ids
        if "merges" in model:
            pairs = [each.split(" ") if isinstance(each, str) else each for each in model["merges"]]
            model["merges"] = [[a, b] for a, b in pairs if a in ids and b in ids and a + b in ids][:40]
        yield whole


def tokenizer_json():
    for whole in small_tokenizers():
        yield json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode() + "\0The ball's 12 é ﬁ\n  <s>".encode()


def gguf_tokenizers():
    """What of a GGUF file is about its tokenizer, and how many tokens that has."""
    def texts(key, values):
        return gguf_text(key) + struct.pack("<IIQ", 9, 8, len(values)) + b"".join(
            struct.pack("<Q", len(each.encode())) + each.encode() for each in values)

    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    pieces = ["<unk>", "<s>", "</s>", *bytes_, "▁", "T", "h", "e", "Th", "The", "▁The"]
    numbers = struct.pack("<IQ", 6, len(pieces)) + b"".join(struct.pack("<f", -i) for i in range(len(pieces)))
    types = [2, 3, 3] + [6] * 256 + [1] * (len(pieces) - 259)
    kinds = struct.pack("<IQ", 5, len(types)) + b"".join(struct.pack("<i", each) for each in types)
    yield [gguf_text("tokenizer.ggml.model") + struct.pack("<I", 8) + gguf_text("llama"),
           texts("tokenizer.ggml.tokens", pieces), gguf_text("tokenizer.ggml.scores") + struct.pack("<I", 9) + numbers,
           gguf_text("tokenizer.ggml.token_type") + struct.pack("<I", 9) + kinds,
           gguf_text("tokenizer.ggml.bos_token_id") + struct.pack("<II", 4, 1)], len(pieces)
    letters = [chr(each) for each in [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x144)]]
    for pre in ("llama-bpe", "qwen2", "gpt-2", "falcon"):
        yield [gguf_text("tokenizer.ggml.model") + struct.pack("<I", 8) + gguf_text("gpt2"),
               gguf_text("tokenizer.ggml.pre") + struct.pack("<I", 8) + gguf_text(pre),
               texts("tokenizer.ggml.tokens", [*letters, "Th", "The", "Ġb"]),
               texts("tokenizer.ggml.merges", ["T h", "Th e", "Ġ b"])], len(letters) + 3


def tokenizer_gguf():
    for keys, _ in gguf_tokenizers():
        yield b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys)) + b"".join(keys)


def tokenizer_llama2c():
    pieces = ["<unk>", "\n<s>\n", "\n</s>\n", *(f"<0x{byte:02X}>" for byte in range(256)), " ", "T", "h", "e", "Th", "The"]
    yield struct.pack("<i", 7) + b"".join(struct.pack("<fi", -i, len(each)) + each.encode() for i, each in enumerate(pieces))


def weights(vocab=16, tokenizer=()):
    """Whole models of a few numbers: a llama in safetensors and in GGUF."""
    dim, ffn = 8, 12
    layer = {"attn_norm": [dim], "ffn_norm": [dim], "attn_q": [dim, dim], "attn_k": [dim, 4], "attn_v": [dim, 4],
             "attn_output": [dim, dim], "ffn_gate": [dim, ffn], "ffn_up": [dim, ffn], "ffn_down": [ffn, dim]}
    published = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj",
                 "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
                 "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
    tensors = {"token_embd": [dim, vocab], "output_norm": [dim], "output": [dim, vocab]}
    names = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
    for i in range(2):
        tensors |= {f"blk.{i}.{name}": shape for name, shape in layer.items()}
        names |= {f"blk.{i}.{name}": f"model.layers.{i}.{other}" for name, other in published.items()}
    for dtype, size in (("F32", 4), ("BF16", 2), ("F16", 2)):
        header, end = {}, 0
        for name, shape in tensors.items():
            begin, end = end, end + size * math.prod(shape)
            header[names[name] + ".weight"] = {"dtype": dtype, "shape": shape[::-1], "data_offsets": [begin, end]}
        text = json.dumps(header, separators=(",", ":")).encode()
        yield struct.pack("<Q", len(text)) + text + b"\x3c" * end
    keys = [gguf_text("general.architecture") + struct.pack("<I", 8) + gguf_text("llama"), *tokenizer]
    for key, value in (("context_length", 32), ("embedding_length", dim), ("block_count", 2), ("feed_forward_length", ffn),
                       ("attention.head_count", 4), ("attention.head_count_kv", 2), ("vocab_size", vocab)):
        keys.append(gguf_text(f"llama.{key}") + struct.pack("<II", 4, value))
    keys.append(gguf_text("llama.attention.layer_norm_rms_epsilon") + struct.pack("<If", 6, 1e-5))
    entries, end = [], 0
    for name, shape in tensors.items():
        entries.append(gguf_text(name + ".weight") + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, end))
        end += -(-4 * math.prod(shape) // 32) * 32
    head = b"GGUF" + struct.pack("<IQQ", 3, len(entries), len(keys)) + b"".join(keys) + b"".join(entries)
    yield head + bytes(-len(head) % 32) + b"\x3c" * end


def theirs():
    """Activations of three tokens, as another program writes them of a small model."""
    tokens = {"input_ids": ("I64", [1, 3], struct.pack("<3q", 3, 1, 4))}
    for dtype, number in (("F32", struct.pack("<f", 0.5)), ("BF16", b"\x00\x3f")):
        tensors = {"logits": [1, 3, 16], "layers.0.self_attn.q_proj": [3, 8], "layers.1.self_attn.attn_weights": [4, 3, 3],
                   "layers.0.qkv": [3, 16], "hidden_states.2": [3, 8]}
        for some in (list(tensors)[:1], tensors):
            parts = tokens | {name: (dtype, tensors[name], number * math.prod(tensors[name])) for name in some}
            header, data = {}, b""
            for name, (kind, shape, numbers) in parts.items():
                header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(numbers)]}
                data += numbers
            text = json.dumps(header, separators=(",", ":")).encode()
            yield struct.pack("<Q", len(text)) + text + data


def task_text():
    yield "Once upon a time there was a fox.\nIt met a hen, and the hen met it.\n".encode()
    yield "für jedes ∑ ein 𝄞: αβγ αβγ αβγ\r\n\tund so fort\n".encode()


FORMATS = {each.__name__: each for each in (safetensors, safetensors_index, llama2c, gguf, config_json, params_json,
                                            document_json, link, worksheet_json, claims_json, tour_json, answers_file,
                                            tokenizer_json, tokenizer_gguf, tokenizer_llama2c, weights, theirs,
                                            task_text)}
SOURCES = {"safetensors": ["core/checkpoints/safetensors*.cpp", "core/checkpoints/infer.cpp"],
           "safetensors_index": ["core/checkpoints/safetensors_i*"],
           "llama2c": [],
           "gguf": ["core/checkpoints/gguf*.cpp"],
           "config_json": ["core/families/*.cpp", "core/files/config.cpp"], "params_json": ["core/files/params.cpp"],
           "document_json": ["core/arch/fields.cpp", "core/files/architecture_json.cpp", "app/state/storage.cpp", "app/state/saved_fields.cpp"],
           "link": ["core/arch/fields.cpp", "core/link/*.cpp", "app/state/link*.cpp", "app/state/saved_fields.cpp"],
           "worksheet_json": ["core/worksheet/*.cpp", "core/lesson/lesson*.cpp", "core/lesson/reference*.cpp",
                              "core/arch/fields.cpp", "core/base/expr*.cpp"],
           "claims_json": ["core/claims/*.cpp", "core/lesson/lesson*.cpp", "core/lesson/reference*.cpp",
                           "core/arch/fields.cpp"],
           "tour_json": ["core/tours/*.cpp", "core/lesson/lesson*.cpp", "core/lesson/reference*.cpp",
                         "core/arch/fields.cpp"],
           "answers_file": ["core/grading/answers*.cpp", "core/grading/typed*.cpp"],
           "tokenizer_json": ["core/tokenizer/tokenizer_json.cpp", "core/tokenizer/json_*.cpp"],
           "tokenizer_gguf": ["core/tokenizer/tokenizer_gguf.cpp"],
           "tokenizer_llama2c": [],
           "weights": ["core/checkpoints/gguf*.cpp", "core/checkpoints/safetensors_h*.cpp"],
           "theirs": ["core/diagnose/named.cpp", "core/diagnose/theirs.cpp", "core/checkpoints/safetensors_h*.cpp"],
           "task_text": []}


def words(name):
    """The short texts in the readers' sources: keys, types and values."""
    found = set()
    for pattern in SOURCES[name]:
        files = list(ROOT.glob(pattern))
        if not files:
            raise SystemExit(f"{pattern} is no longer there: say in {__file__} where the words of {name} went")
        for file in files:
            found |= set(re.findall(r'"([A-Za-z_][A-Za-z0-9_.]{1,40})"', file.read_text()))
    return sorted(found) or ["llama2.c"]  # libFuzzer takes no empty dictionary


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    for name, files in FORMATS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(files()):
            (folder / name / f"seed-{number:03}").write_bytes(data)
        (folder / f"{name}.dict").write_text("".join(f'"{word}"\n' for word in words(name)))


if __name__ == "__main__":
    main()
