# Other programs that run the same models: llama2.c's `run`, llama.cpp's `llama-bench` and a `python` that has PyTorch
# and transformers, in one folder.
# The models are written here, with random weights in float32; what each program says of its speed is read.
import json
import pathlib
import re
import struct
import subprocess
import tempfile

# As tests/bench/runtime.cpp has them: dim, layers, heads, kv_heads, ffn_dim, vocab.
SIZES = {"small": (64, 5, 8, 4, 172, 512), "middle": (288, 6, 6, 6, 768, 32000), "large": (768, 12, 12, 12, 2048, 32000)}
OTHERS = {"bert": [("prefill", "128 tokens at once")], "qwen3_next": [("decode", "a token behind 128")]}
CONTEXT, PROMPT, NEW = 256, 128, 32
# GPT-2 in small: what the Train view shows first, and llm.c's shape of a step. "tokens" are of a line.
TRAININGS = {"reverse": {"set": {"dim": 64, "layers": 2, "heads": 4, "ffn_dim": 128}, "batch": 32, "tokens": 17,
                         "vocab": 28},
             "text": {"set": {"dim": 128, "layers": 4, "heads": 4, "ffn_dim": 512}, "batch": 8, "tokens": 64,
                      "vocab": 64}}


def matrices(dim, layers, heads, kv_heads, ffn_dim, vocab):
    """Name in GGUF, shape as PyTorch says it, and whether each layer has one; in the order of llama2.c's files."""
    kv = dim // heads * kv_heads
    return [("token_embd", (vocab, dim), False), ("attn_norm", (dim,), True), ("attn_q", (dim, dim), True),
            ("attn_k", (kv, dim), True), ("attn_v", (kv, dim), True), ("attn_output", (dim, dim), True),
            ("ffn_norm", (dim,), True), ("ffn_gate", (ffn_dim, dim), True), ("ffn_down", (dim, ffn_dim), True),
            ("ffn_up", (ffn_dim, dim), True), ("output_norm", (dim,), False)]


def draw():
    import numpy  # only for whoever has programs to compare with
    return numpy.random.default_rng(1)


def numbers(random, shape):
    if len(shape) == 1:
        return 1 + 0 * random.standard_normal(shape, "float32")
    return random.standard_normal(shape, "float32") / shape[1] ** 0.5


def write_llama2c(folder, size):
    dim, layers, heads, kv_heads, ffn_dim, vocab = size
    random = draw()
    with open(folder / "model.bin", "wb") as file:
        file.write(struct.pack("<7i", dim, ffn_dim, layers, heads, kv_heads, -vocab, CONTEXT))
        for name, shape, layered in matrices(*size):
            for _ in range(layers if layered else 1):
                file.write(numbers(random, shape).tobytes())
        file.write(bytes(4 * CONTEXT * (dim // heads)))  # the angles' tables, which it does not read
        file.write(numbers(random, (vocab, dim)).tobytes())
    with open(folder / "tokenizer.bin", "wb") as file:
        file.write(struct.pack("<i", 8))
        for i in range(vocab):
            word = f"w{i}".encode()
            file.write(struct.pack("<fi", 0, len(word)) + word)


def write_gguf(folder, size):
    dim, layers, heads, kv_heads, ffn_dim, vocab = size
    text = lambda value: struct.pack("<Q", len(value)) + value.encode()  # noqa: E731
    keys = {"embedding_length": dim, "block_count": layers, "attention.head_count": heads,
            "attention.head_count_kv": kv_heads, "feed_forward_length": ffn_dim, "context_length": CONTEXT,
            "vocab_size": vocab, "rope.dimension_count": dim // heads}
    header = text("general.architecture") + struct.pack("<I", 8) + text("llama")
    header += text("tokenizer.ggml.model") + struct.pack("<I", 8) + text("no_vocab")
    header += text("llama.attention.layer_norm_rms_epsilon") + struct.pack("<If", 6, 1e-5)
    for key, value in keys.items():
        header += text(f"llama.{key}") + struct.pack("<II", 4, value)
    random, entries, data = draw(), b"", bytearray()
    count = 0
    for name, shape, layered in matrices(*size) + [("output", (vocab, dim), False)]:
        for layer in range(layers if layered else 1):
            entries += text((f"blk.{layer}." if layered else "") + name + ".weight") + struct.pack("<I", len(shape))
            entries += b"".join(struct.pack("<Q", side) for side in reversed(shape)) + struct.pack("<IQ", 0, len(data))
            data += numbers(random, shape).tobytes()
            data += bytes(-len(data) % 32)
            count += 1
    head = b"GGUF" + struct.pack("<IQQ", 3, count, len(keys) + 3) + header + entries
    (folder / "model.gguf").write_bytes(head + bytes(-len(head) % 32) + data)


def llama2c_speed(program, folder, threads):
    """Tokens a second; a prompt is no faster than what follows, since each token is a pass of its own. Its figure is
    that of all of them, with fewer tokens before each than behind a whole prompt."""
    best = 0
    for _ in range(3):
        done = subprocess.run([program, folder / "model.bin", "-t", "0", "-n", str(PROMPT + NEW), "-z",
                               folder / "tokenizer.bin"], env={"OMP_NUM_THREADS": str(threads)}, capture_output=True,
                              text=True, errors="replace")
        found = re.search(r"achieved tok/s: ([0-9.]+)", done.stderr)
        best = max(best, float(found[1]) if found else 0)
    return {"prefill": best, "decode": best}


def llama_cpp_speed(program, folder, threads):
    """Of a prompt, and of the tokens behind one."""
    speeds = {}
    for what, how in [("prefill", ["-p", str(PROMPT), "-n", "0"]),
                      ("decode", ["-p", "0", "-n", str(NEW), "-d", str(PROMPT)])]:
        done = subprocess.run([program, "-m", folder / "model.gguf", *how, "-t", str(threads), "-r", "5",
                               "-o", "json"], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr}")
        speeds[what] = max(json.loads(done.stdout)[0]["samples_ts"])
    return speeds


def torch_speed(python, name, threads, script="torch_speed.py"):
    script = pathlib.Path(__file__).with_name(script)
    done = subprocess.run([python, script, name, str(threads)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{python} failed: {done.stderr}")
    return json.loads(done.stdout)


def training_speed(headcount, name, threads):
    """Steps a second of `headcount train`."""
    training = TRAININGS[name]
    fields = [word for key, value in training["set"].items() for word in ("--set", f"{key}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        task = ["--task", "reverse", "--letters", "8"]
        if name == "text":
            text = pathlib.Path(folder) / "text.txt"
            letters = [chr(ord("0") + i) for i in range(training["vocab"])]
            text.write_text("".join(draw().choice(letters, 20000)))
            task = ["--text", text, "--tokens", str(training["tokens"])]
        done = subprocess.run([headcount, "train", "gpt2", *fields, *task, "--batch", str(training["batch"]), "--steps",
                               "120", "--threads", str(threads), "--answers", "0", "--held-out", "8", "--json"],
                              capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{headcount} failed: {done.stderr}")
    return json.loads(done.stdout)["steps_per_second"]


def peer_speeds(peers, folder, name, threads):
    """{"llama2.c": {"prefill": tokens a second, "decode": ..}, ..} of the programs that are there."""
    found = {}
    if name in SIZES and (peers / "run").exists():
        found["llama2.c"] = llama2c_speed(peers / "run", folder, threads)
    if name in SIZES and (peers / "llama-bench").exists():
        found["llama.cpp"] = llama_cpp_speed(peers / "llama-bench", folder, threads)
    if name in OTHERS and (peers / "python").exists():
        found["PyTorch"] = torch_speed(peers / "python", name, threads)
    return found


def write_models(folder, name):
    folder = pathlib.Path(folder)
    write_llama2c(folder, SIZES[name])
    write_gguf(folder, SIZES[name])
