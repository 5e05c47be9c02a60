# Writes small tokenizers of every kind that Headcount reads, and the ids that Hugging Face's library makes with them of
# many texts: tokenizers/KIND.json and tokenizers/expected.json. Needs the packages `tokenizers` and `sentencepiece`; asks
# no network.
import collections
import json
import math
import pathlib
import random
import tempfile
import unicodedata

import sentencepiece
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
    "[CLS] a [MASK]s x[MASK]y [UNK] [mask] [SEP]", "a <extra_id_0> b<extra_id_1>.</s> c", "b" * 101 + " " + "ball" * 25,
    "ＦＵＬＬ　ｗｉｄｔｈ１２３！ ™ ½ ㍿ ｶﾞ がぎ \u0301x \u0344", "don't do not 'quoted' $5+3=8 a_b-c (x)[y]{z}^~`|<>", "a\u00adb\u2028c\u2060d\u180ee\x07f",
    "\u0958\u1100\u1161\u11a8 각 क्षि ẛ̣ e\u0323\u0301 Å Ａ\u030a", "日本語とEnglishと한국어 🤖🥰 ① ⅷ \U00020000\U0002f800",
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


def frequent_pieces(normalizer, pre_tokenizer, size, prefix=""):
    """All letters of the story's words, and what of words takes most of it, each with how often it is there. (The library's
    own trainers choose otherwise each time.) The prefix is of pieces that do not begin a word."""
    count = collections.Counter()
    for line in STORY:
        for word, _ in pre_tokenizer.pre_tokenize_str(normalizer.normalize_str(line)):
            count.update((prefix if begin else "") + word[begin:end] for begin in range(len(word))
                         for end in range(begin + 1, len(word) + 1))
    letters = [each for each in sorted(count) if len(each.removeprefix(prefix)) == 1]
    longer = sorted(set(count) - set(letters), key=lambda each: (-count[each] * len(each), each))
    return [(each, count[each]) for each in [*letters, *longer[:size - len(letters)]]]


def bert(lowercase=True):
    """As google-bert/bert-base-uncased."""
    normalizer, cut = normalizers.BertNormalizer(lowercase=lowercase), pre_tokenizers.BertPreTokenizer()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(each for each, _ in frequent_pieces(normalizer, cut, 300, "##"))]
    vocab = {each: id for id, each in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, cut
    tokenizer.add_special_tokens(pieces[:5])
    tokenizer.decoder = decoders.WordPiece(prefix="##", cleanup=True)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[(each, vocab[each]) for each in ("[CLS]", "[SEP]")])
    return tokenizer


def bert_cased():
    """As google-bert/bert-base-cased, and with the post-processor of older files."""
    tokenizer = bert(lowercase=False)
    tokenizer.decoder = decoders.WordPiece(prefix="##", cleanup=False)
    tokenizer.post_processor = processors.BertProcessing(*((each, tokenizer.token_to_id(each)) for each in ("[SEP]", "[CLS]")))
    return tokenizer


def charsmap():
    """A part of the table that SentencePiece makes of nmt_nfkc, in its own form; all of it takes 300 kB."""
    letters = [*range(0xA0, 0x180), *range(0x2000, 0x2190), *range(0x2460, 0x2474), *range(0x3000, 0x30FF), 0x337F,
               *range(0xFB00, 0xFB07), *range(0xFF01, 0xFFA0), 0x2F800, 0x1E9B]
    rules = {chr(each): unicodedata.normalize("NFKC", chr(each)) for each in letters}
    rules |= {unicodedata.normalize("NFD", to): to for to in rules.values()}
    rules |= {each: " " for each in "\t\n\r\u1680\u200b\u200e\u2028\u2029\ufeff\ufffd"}
    rules |= {chr(each): "" for each in [*range(1, 9), 11, *range(14, 32), 127, 0x8F, 0x9F]}
    lines = ["\t".join(" ".join(f"{ord(letter):x}" for letter in side) for side in rule) + "\n"
             for rule in sorted(rules.items()) if rule[0] != rule[1]]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "rules.tsv").write_text("".join(lines))
        (path / "story.txt").write_text("\n".join(STORY))
        sentencepiece.SentencePieceTrainer.train(
            input=str(path / "story.txt"), model_prefix=str(path / "made"), vocab_size=120, hard_vocab_limit=False,
            normalization_rule_tsv=str(path / "rules.tsv"), minloglevel=2)
        model = (path / "made.model").read_bytes()
    return field(field(model, 3), 2)  # ModelProto.normalizer_spec.precompiled_charsmap


def field(message, wanted):
    """The bytes of a field of protocol buffers, the last of those with its number."""
    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    at, found = 0, None
    while at < len(message):
        tag, kind = divmod(number(), 8)
        size = number() if kind in (0, 2) else {1: 8, 5: 4}[kind]
        if kind == 0:
            continue
        found = message[at:at + size] if tag == wanted else found
        at += size
    return found


def scored_pieces(normalizer, pre_tokenizer, specials, size):
    """With scores as SentencePiece has them, rounded, so that many ways are alike."""
    pieces = frequent_pieces(normalizer, pre_tokenizer, size)
    total = sum(count for _, count in pieces)
    return [(each, 0.0) for each in specials] + [(each, round(2 * math.log(count / total)) / 2) for each, count in pieces]


def t5():
    """As google-t5/t5-small."""
    normalizer = normalizers.Precompiled(charsmap())
    cut = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    vocab = scored_pieces(normalizer, cut, ("<pad>", "</s>", "<unk>"), 320)
    tokenizer = Tokenizer(models.Unigram(vocab, 2, False))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, cut
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>", *(f"<extra_id_{each}>" for each in range(3))])
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>",
                                                             special_tokens=[("</s>", 1)])
    return tokenizer


def unigram_bytes():
    """Unigram with bytes for what is unknown, and the normalizers of other models."""
    normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Strip(left=True, right=True),
                                       normalizers.Replace(Regex(" {2,}"), " "), normalizers.Lowercase(),
                                       normalizers.Replace(" ", "▁"), normalizers.Prepend("▁")])
    cut = pre_tokenizers.Split("▁", "merged_with_next")
    vocab = scored_pieces(normalizer, cut, ("<unk>", "<s>", "</s>"), 200)
    vocab += [(f"<0x{byte:02X}>", 0.0) for byte in range(256)]
    tokenizer = Tokenizer(models.Unigram(vocab, 0, True))
    tokenizer.normalizer = normalizer  # and whole texts without a pre-tokenizer
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    tokenizer.add_special_tokens(["<unk>", "<s>", "</s>", AddedToken("<mask>", lstrip=True)])
    return tokenizer


def main():
    FOLDER.mkdir(exist_ok=True)
    texts = TEXTS + list(random_texts(120))
    expected = {"texts": texts, "ids": {}, "decoded": {}}
    for kind in (gpt2, llama3, qwen, tekken, deepseek, falcon, starcoder, llama2, mistral, metaspace, gemma, unknowns,
                 bert, bert_cased, t5, unigram_bytes):
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
