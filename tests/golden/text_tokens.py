# Writes small tokenizers of every kind that Headcount reads, and the ids that Hugging Face's library makes with them of
# many texts: tokenizers/KIND.json and tokenizers/expected.json. Needs the package `tokenizers`; asks no network.
import json
import pathlib
import random

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

FOLDER = pathlib.Path(__file__).parent / "tokenizers"

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
TEKKEN = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
          r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}"
          r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK = [r"\p{N}{1,3}", r"[一-龥぀-ゟ゠-ヿ]+",
            r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
            r"|\s*[\r\n]+|\s+(?!\S)|\s+"]

STORY = """Once upon a time there was a little girl named Lily. She didn't like the rain, but she'd play in it all the
same. "It's only water," said Tom. They'll walk 12 miles, or 1234567, in 2024!  The dog's ball isn't the cat's ball.
Where is the ball? The ball is in the box. The box was on the table; the table stood in the kitchen.
\tif (x == 10) { return y[3] + 0.5; }\n\n    Der Fluß ist größer als früher. L'été à Paris était très chaud. Привет, как дела?
你好，世界。今日はいい天気ですね。 🙂🙂 👩‍👩‍👧 naïve café
""".splitlines() * 3

TEXTS = [
    "", " ", "  ", "a", " a", "  a", "a ", "a  ", "   a   b   ", "\n", "\n\n", "\r\n", " \n", "\n ", "\t\tx\n\n\ny  \n z",
    "Once upon a time there was a little girl named Lily.", "She DIDN'T, they'LL, I'm, we're, you'Ve, he'd, it'S, 'tis",
    "0 12 123 1234 12345 1234567 3.14159 1,000,000 ½ ² ४५६ Ⅷ", "x=10;y[3]+=0.5//ok\n\tif(a&&b){return -1;}",
    "Der Fluß ist größer als früher.", "L'été à Paris était très chaud", "e\u0301 vs \u00e9, A\u030a, \u1e9b\u0323, \ufb01",
    "Привет, как дела?", "你好，世界。", "今日はいい天気ですね。", "안녕하세요 세계", "مرحبا بالعالم", "नमस्ते दुनिया", "ไทย",
    "🙂", "🙂🙂 👩‍👩‍👧 🇩🇪 👍🏽", "a\u200bb\u00a0c\u2003d\u3000e\u2028f\u0085g", "\u0000\u0001\u001f\u007f", "\ufeffbom \ufffd",
    "<s>a</s>", "a <s> b", "<|endoftext|>", "x<|endoftext|><|endoftext|>y", "<|endoftext|", "a  <mask>  b<mask>c", "word words sword word",
    "<think> hm </think>", "▁ ▁a a▁b", "_under_score__", "<0x0A> <0x41>", "ſ 's 'ſ K", "a" * 40, " " * 30 + "x", "\n" * 9,
    "ab" * 30, "!!!???...---===", "http://example.org/a?b=c&d=%20#e", "\U0010fffd\ue000", "Ünïcödé ÅÄÖ", "i̇İıI", "dzǅǄ", "「」『』、。・",
]


def random_texts(count):
    chance = random.Random(8)
    letters = list(" \n\t'abcdeLst10,.!é🙂你ß") + ["  ", "'s", " the", "ball", "\r\n", "<s>", "\u0301", "\u2003", "Ж", "한", "\u00a0"]
    for _ in range(count):
        yield "".join(chance.choice(letters) for _ in range(chance.randint(1, 30)))


def train(pre_tokenizer, normalizer=None, size=420, byte_level=True, specials=()):
    """Vocabulary and merges, learned from the story."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    alphabet = pre_tokenizers.ByteLevel.alphabet() if byte_level else []
    tokenizer.train_from_iterator(STORY, trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False,
                                                             special_tokens=list(specials)))
    model = json.loads(tokenizer.to_str())["model"]
    return model["vocab"], [tuple(each) if isinstance(each, list) else tuple(each.split(" ")) for each in model["merges"]]


def byte_level(pre_tokenizer, specials, normalizer=None, **options):
    vocab, merges = train(pre_tokenizer, normalizer)
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges, **options))
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(specials))
    return tokenizer


def gpt2():
    tokenizer = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False), ["<|endoftext|>"])
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    # As masks of the kind that takes the space before it, and words that are found only whole.
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True), AddedToken("<s>", rstrip=True)])
    tokenizer.add_tokens([AddedToken("word", single_word=True)])
    return tokenizer


def splits(*expressions):
    return [pre_tokenizers.Split(Regex(each), "isolated") for each in expressions]


def llama3():
    cut = pre_tokenizers.Sequence([*splits(LLAMA3), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer = byte_level(cut, ["<|begin_of_text|>", "<|endoftext|>"], ignore_merges=True)
    begin = tokenizer.token_to_id("<|begin_of_text|>")
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(single="<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", begin)])])
    return tokenizer


def qwen():
    cut = pre_tokenizers.Sequence([*splits(QWEN), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer = byte_level(cut, ["<|endoftext|>"], normalizers.NFC())
    tokenizer.add_tokens([AddedToken("<think>", normalized=False), AddedToken("</think>", normalized=True)])
    return tokenizer


def tekken():
    cut = pre_tokenizers.Sequence([*splits(TEKKEN), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return byte_level(cut, ["<s>", "</s>"], ignore_merges=True)


def deepseek():
    cut = pre_tokenizers.Sequence([*splits(*DEEPSEEK), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return byte_level(cut, ["<|endoftext|>"])


def falcon():
    cut = pre_tokenizers.Sequence([pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False),
                                   pre_tokenizers.Digits(individual_digits=False), *splits("[0-9][0-9][0-9]")])
    tokenizer = byte_level(cut, ["<|endoftext|>"])
    tokenizer.add_tokens([AddedToken("  ", normalized=False), AddedToken("    ", normalized=False)])
    return tokenizer


def starcoder():
    cut = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=True)])
    return byte_level(cut, ["<|endoftext|>"])


def pieces(specials):
    """A vocabulary as SentencePiece orders it (special tokens, bytes, what was learned, letters), and the merges that
    transformers makes of it: every way to put a piece together, the best piece first."""
    vocab, learned = train(pre_tokenizers.Metaspace(prepend_scheme="always"), size=300, byte_level=False)
    made = [a + b for a, b in learned]
    letters = [piece for piece in vocab if piece not in set(made)]
    order = {piece: rank for rank, piece in enumerate(dict.fromkeys([*specials, *(f"<0x{byte:02X}>" for byte in range(256)), *made, *letters]))}
    merges = [(order[piece], piece[:i], piece[i:]) for piece in made for i in range(1, len(piece)) if piece[:i] in order and piece[i:] in order]
    merges.sort(key=lambda each: (each[0], order[each[1]], order[each[2]]))
    return order, [(a, b) for _, a, b in merges]


def with_pieces(specials=("<unk>", "<s>", "</s>")):
    vocab, merges = pieces(specials)
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges, byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    tokenizer.add_special_tokens(list(specials))
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", vocab["<s>"])])
    return tokenizer


def llama2():
    tokenizer = with_pieces()
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    return tokenizer


def mistral():
    tokenizer = with_pieces()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first", split=False)
    return tokenizer


def metaspace():
    tokenizer = with_pieces()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    return tokenizer


def gemma():
    tokenizer = with_pieces(("<pad>", "<eos>", "<s>", "<unk>"))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.add_tokens([AddedToken("▁▁▁", normalized=True), AddedToken("\n\n\n", normalized=False)])
    return tokenizer


def unknowns():
    """Neither bytes nor byte level: what was not seen is unknown."""
    vocab, merges = train(pre_tokenizers.Whitespace(), size=120, byte_level=False, specials=["[UNK]", "[SEP]"])
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges, unk_token="[UNK]", fuse_unk=True))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens(["[SEP]"])
    tokenizer.post_processor = processors.TemplateProcessing(single="$A [SEP]", special_tokens=[("[SEP]", vocab["[SEP]"])])
    return tokenizer


def main():
    FOLDER.mkdir(exist_ok=True)
    texts = TEXTS + list(random_texts(120))
    expected = {"texts": texts, "ids": {}, "decoded": {}}
    for kind in (gpt2, llama3, qwen, tekken, deepseek, falcon, starcoder, llama2, mistral, metaspace, gemma, unknowns):
        tokenizer = kind()
        written = json.loads(tokenizer.to_str())
        if kind is qwen:  # as files had it before pairs
            written["model"]["merges"] = [" ".join(pair) for pair in written["model"]["merges"]]
        (FOLDER / f"{kind.__name__}.json").write_text(json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n")
        tokenizer = Tokenizer.from_file(str(FOLDER / f"{kind.__name__}.json"))
        ids = [tokenizer.encode(text).ids for text in texts]
        expected["ids"][kind.__name__] = ids
        expected["decoded"][kind.__name__] = [tokenizer.decode(each, skip_special_tokens=False) for each in ids]
    (FOLDER / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
