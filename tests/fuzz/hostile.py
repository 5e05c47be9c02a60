# hostile.py PROGRAM [--files N] [--seed S] [--result FILE]: gives the program as it is released real files that were damaged,
# each in a folder of its own, and little memory. Whatever is in a file, the program ends by itself and says in a sentence
# what is wrong. What it does instead is kept in build/hostile with the command that shows it again.
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from typing import Callable

import damage
import make_corpus

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADDRESS_SPACE = 4 << 30
# Of memory in use: what drawing without a graphics card takes, and for each byte of the files what JSON takes at most.
MEMORY, MEMORY_A_BYTE = 700 << 20, 40
PROCESSOR_SECONDS = 300  # then it would not have ended
STORIES = ROOT / "assets/models/tiny-stories"
# What a library says, and nobody who wrote a sentence.
FOREIGN_WORDS = ("std::", "bad_alloc", "what():", "terminate called", "Assertion", "vector::", "basic_string")


@dataclasses.dataclass
class Kind:
    """Folders of files, {name: bytes} each, of which the first is damaged; and the commands that read it."""
    files: list
    damaged: Callable
    commands: list  # of words; {} is the path of the first file, {folder} that of all


class OneOf(tuple):
    """Words of which a command has one, another each time."""


def of_architecture(path):
    """The commands that need no weights."""
    views = ["explore", "compare", "costs", "what-if", "run"]
    return [["count", path], ["count", path, "--json"], ["tree", path], ["tensors", path], ["tensors", path, "--layer", "1"],
            ["shapes", path, "--tokens", "100"], ["memory", path, "--tokens", "9"], ["compute", path, "--tokens", "9"],
            ["compare", path, "llama-2-7b"], ["compare", "gpt2", path], ["sensitivity", path],
            ["solve", path, "--size", "1B"], ["sweep", path, "--vary", "layers=1..9"],
            ["export", path, "-o", "{folder}/out.json"], ["export", path, "-o", "{folder}/out.headcount"],
            ["export", path, "-o", "{folder}/out.md"], ["render", path, "-o", "{folder}/out.svg"],
            ["render", path, "--view", OneOf(views), "-o", "{folder}/out.png"]]


def named(name, datas, **beside):
    return [{name: data, **beside} for data in datas]


def read(*paths):
    return [path.read_bytes() for path in paths]


def asked(program, *words):
    """What the program says of a model in JSON."""
    return json.loads(subprocess.run([program, *words, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def small_models(program):
    """Of each family a small model that runs: what it is, and weights that are all the same number."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config.json"
        for file in sorted((ROOT / "tests/golden/runtime").glob("*.json")):
            config = json.loads(file.read_text()).get("config")
            if not config:
                continue
            path.write_text(json.dumps(config))
            header, end = {}, 0
            for tensor in asked(program, "tensors", path):
                begin, end = end, end + 2 * tensor["count"]
                header[tensor["name"]] = {"dtype": "BF16", "shape": tensor["shape"], "data_offsets": [begin, end]}
            text = json.dumps(header, separators=(",", ":")).encode()
            yield path.read_bytes(), struct.pack("<Q", len(text)) + text + b"\x3c" * end


def index_of(weights, shard):
    """The index of a model that is whole in one shard."""
    size = struct.unpack("<Q", weights[:8])[0]
    names = [name for name in json.loads(weights[8:8 + size]) if name != "__metadata__"]
    return json.dumps({"metadata": {"total_size": len(weights)}, "weight_map": dict.fromkeys(names, shard)}).encode()


def beside_tokenizers(config):
    """Each tokenizer of the golden tests beside a model that has as many tokens."""
    for path in sorted((ROOT / "tests/golden/tokenizers").glob("*.json")):
        if path.name == "expected.json":
            continue
        whole = json.loads(path.read_text())
        vocab = whole["model"]["vocab"]  # a list where ids are places
        ids = [*(vocab.values() if isinstance(vocab, dict) else range(len(vocab))), *(each["id"] for each in whole["added_tokens"])]
        yield {"tokenizer.json": path.read_bytes(),
               "config.json": json.dumps({**json.loads(config), "vocab_size": max(ids) + 1}).encode()}


def documents(program):
    """As the program itself saves them."""
    with tempfile.TemporaryDirectory() as folder:
        for preset in ("llama-2-7b", "deepseek-v3", "gemma-3-1b", "gpt2", "mixtral-8x7b"):
            path = pathlib.Path(folder) / f"{preset}.headcount"
            subprocess.run([program, "export", preset, "-o", path], check=True, stdout=subprocess.DEVNULL)
            yield path.read_bytes()


def kinds(program):
    model = dict(zip(("config.json", "tokenizer.json", "model.safetensors"),
                     read(STORIES / "config.json", STORIES / "tokenizer.json", STORIES / "model.safetensors")))
    run = [["run", "{folder}", "--prompt", "Lily and the ball", "--tokens", "3"]]
    ids = [["run", "{}", "--prompt-ids", "1,2,3", "--tokens", "3"]]
    weights = [["count", "{}"], ["tensors", "{}"], ["tree", "{}"], ["match", "{}"], ["match", "{}", "--json"], *ids, *ids,
               ["render", "{}", "--view", OneOf(("explore", "run")), "-o", "{folder}/out.png"]]
    families = list(small_models(program))
    corpus = {name: list(files()) for name, files in make_corpus.FORMATS.items()}
    whole_safetensors = [data for data in corpus["weights"] if not data.startswith(b"GGUF")]
    spoken = [list(make_corpus.weights(vocab, keys))[-1] for keys, vocab in make_corpus.gguf_tokenizers()]
    llama = next((config, weights) for config, weights in families if b'"llama"' in config)
    shard, pieces = "model-00001.safetensors", 265
    sheets = read(*sorted((ROOT / "assets/worksheets").glob("*.json"))) + corpus["worksheet_json"]
    return {
        "configuration": Kind(named("config.json", [*corpus["config_json"], *(config for config, _ in families),
                                                    model["config.json"]]), damage.damaged_json, of_architecture("{}")),
        "configuration beside weights": Kind([{"config.json": config, "model.safetensors": weights} for config, weights in families]
                                             + [model], damage.damaged_json,
                                             [["run", "{folder}", "--prompt-ids", "1,2,3", "--tokens", "2"],
                                              ["run", "{}", "--random-weights", "--prompt-ids", "1,2,3", "--tokens", "2"],
                                              ["match", "{folder}"], ["count", "{folder}"]]),
        "params.json": Kind(named("params.json", corpus["params_json"]), damage.damaged_json, of_architecture("{}")),
        "document": Kind(named("saved.headcount", [*documents(program), *corpus["document_json"]]), damage.damaged_json,
                         of_architecture("{}")),
        "safetensors": Kind([{"model.safetensors": weights, "config.json": config} for config, weights in families]
                            + named("model.safetensors", corpus["safetensors"] + whole_safetensors
                                    + read(*sorted((ROOT / "tests/golden/runtime").glob("*.safetensors"))[:9]))
                            + [{"model.safetensors": model["model.safetensors"], **model}] * 20, damage.damaged_safetensors,
                            weights + run),
        "safetensors index": Kind([{"model.safetensors.index.json": index_of(llama[1], shard), shard: llama[1],
                                    "config.json": llama[0]}], damage.damaged_json, weights),
        "GGUF": Kind(named("model.gguf", corpus["gguf"] + list(make_corpus.gguf_kinds()) + spoken * 4), damage.damaged_binary,
                     weights + [["run", "{}", "--prompt", "The", "--tokens", "2"]] * 3),
        "llama2.c": Kind(named("model.bin", corpus["llama2c"]), damage.damaged_binary, weights),
        "tokenizer.bin": Kind(named("tokenizer.bin", corpus["tokenizer_llama2c"],
                                    **{"model.bin": next(make_corpus.llama2c(pieces))}),
                              damage.damaged_binary, [["run", "{folder}/model.bin", "--prompt", "The", "--tokens", "2"]]),
        "tokenizer.json": Kind([{"tokenizer.json": model["tokenizer.json"], "config.json": model["config.json"]}]
                               + list(beside_tokenizers(llama[0])), damage.damaged_json,
                               [["run", "{folder}", "--random-weights", "--prompt", "Lily and the ball.", "--tokens", "3"]]),
        "worksheet": Kind(named("sheet.json", sheets), damage.damaged_json,
                          [["worksheet", "show", "{}", "--key"], ["worksheet", "show", "{}", "--arch", "gpt2", "--seed", "7"],
                           ["worksheet", "export", "{}", "--format", "html", "--key"],
                           ["worksheet", "export", "{}", "--format", "json"],
                           ["render", "gpt2", "--view", "worksheet", "--sheet", "{}", "-o", "{folder}/out.png"]]),
        "answers": Kind(named("answers.json", corpus["answers_file"]), damage.damaged_json,
                        [["worksheet", "answer", "1-one-head", "--answers", "{}"],
                         ["worksheet", "answer", "1-one-head", "--answers", "{}", "--json"],
                         ["render", "gpt2", "--view", "worksheet", "--sheet", "1-one-head", "--answers", "{}", "-o",
                          "{folder}/out.png"]]),
        "claims": Kind(named("claims.json", read(*sorted((ROOT / "assets/claims").glob("*.json"))) + corpus["claims_json"]),
                       damage.damaged_json, [["claims", "{}"], ["claims", "{}", "--json"]]),
        "tour": Kind(named("tour.json", read(*sorted((ROOT / "assets/tours").glob("*.json"))) + corpus["tour_json"]),
                     damage.damaged_json,
                     [["render", OneOf(("gpt2", "llama-2-7b")), "--tour", "{}", "-o", "{folder}/out.png"]]),
    }


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def faults(done, err, peak, most):
    """What is wrong with how a command ended."""
    if os.WIFSIGNALED(done):
        yield f"ended by signal {os.WTERMSIG(done)}"
    elif os.WEXITSTATUS(done) not in (0, 1, 2):
        yield f"ended with status {os.WEXITSTATUS(done)}"
    elif os.WEXITSTATUS(done) != 0 and not err.strip():
        yield "failed without a word"
    try:
        text = err.decode()
    except UnicodeDecodeError:
        yield "what it says is not UTF-8"
        text = err.decode(errors="replace")
    for words in FOREIGN_WORDS:
        if words in text:
            yield f"it says {words}"
    if len(err) > 8192:
        yield f"it says {len(err)} bytes"
    if peak > most:
        yield f"took {peak >> 20} MiB, where {most >> 20} are enough"


def run_one(program, command, home):
    environment = {"HOME": home, "PATH": os.environ["PATH"], "LIBGL_ALWAYS_SOFTWARE": "1", "LC_ALL": "C.UTF-8"}
    with tempfile.TemporaryFile() as err:
        process = subprocess.Popen([program, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err,
                                   env=environment, cwd=home, preexec_fn=limits)
        _, done, used = os.wait4(process.pid, 0)
        process.returncode = done  # it has been waited for
        err.seek(0)
        return done, err.read(), used.ru_maxrss << 10


def attempt(program, kind, name, seed, number, keep):
    """Damages one file and has one command read it. Whether it was read all the same, and what is wrong, as lines."""
    numbers = random.Random(f"{seed}/{name}/{number}")
    files = dict(numbers.choice(kind.files))
    first = next(iter(files))
    for _ in range(numbers.choice([1, 1, 1, 2])):
        files[first] = kind.damaged(numbers, files[first])
    with tempfile.TemporaryDirectory() as folder:
        for each, data in files.items():
            (pathlib.Path(folder) / each).write_bytes(data)
        places = {"{}": f"{folder}/{first}", "{folder}": folder}
        command = [numbers.choice(word) if isinstance(word, OneOf) else word for word in numbers.choice(kind.commands)]
        command = [places.get(word, word.replace("{folder}", folder)) for word in command]
        done, err, peak = run_one(program, command, folder)
        # Made-up weights take what the model that is in the file takes.
        most = ADDRESS_SPACE if "--random-weights" in command else MEMORY + MEMORY_A_BYTE * sum(map(len, files.values()))
        wrong = list(faults(done, err, peak, most))
        if not wrong:
            return done == 0, []
        kept = keep / f"{name.replace(' ', '-')}-{seed}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        shown = " ".join(word.replace(folder, str(kept)) for word in command)
        return False, [f"{name}, seed {seed}, file {number}: {'; '.join(wrong)}", f"  headcount {shown}",
                f"  {err[:300].decode(errors='replace').strip()}"]


def write_result(path, wrong):
    suite = ElementTree.Element("testsuite", name="hostile")
    for name, lines in wrong.items():
        case = ElementTree.SubElement(suite, "testcase", classname="hostile", name=name)
        if lines:
            ElementTree.SubElement(case, "failure", message=lines[0]).text = "\n".join(lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(suite).write(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=420, help="how many, of all kinds together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--result", type=pathlib.Path)
    arguments = parser.parse_args()
    program, keep = arguments.program.resolve(), ROOT / "build/hostile"
    keep.mkdir(parents=True, exist_ok=True)
    all_kinds = kinds(program)
    wrong = {name: [] for name in all_kinds}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tries = []
        for number in range(arguments.files):
            name = list(all_kinds)[number % len(all_kinds)]
            tries.append((name, pool.submit(attempt, program, all_kinds[name], name, arguments.seed, number, keep)))
        good = 0
        for name, each in tries:
            well, lines = each.result()
            good += well
            wrong[name] += lines
            if lines:
                print("\n".join(lines), flush=True)
    if arguments.result:
        write_result(arguments.result, wrong)
    broken = [name for name, lines in wrong.items() if lines]
    print(f"{arguments.files} damaged files of {len(wrong)} kinds, seed {arguments.seed}: "
          + (f"faults with {', '.join(broken)}" if broken else f"{good} were read, all others refused in a sentence"))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
