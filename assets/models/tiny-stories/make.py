# Makes what the tiny model is trained from: its tokenizer, and the stories as one text.
"""usage: make.py FOLDER   writes tokenizer.json, tokenizer_config.json, generation_config.json, token_counts.json and
stories.txt there

What lies beside this script was made with tokenizers 0.23; the same seed gives the same stories in the same order.
"""
import collections
import json
import pathlib
import re
import string
import sys

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from invented import Inventor
from stories import TRAINING, VALIDATION, write

VOCABULARY = 512
CONTEXT = 256
SPECIAL = ["<s>", "</s>", "<unk>"]


def train_tokenizer(texts):
    """Byte-level BPE: what is special, the letters, and the merges that the texts ask for."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=SPECIAL, show_progress=False,
        initial_alphabet=list(string.ascii_letters)))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>",
                                   model_max_length=CONTEXT, clean_up_tokenization_spaces=False)


def inventor_of(tokenizer):
    """Makes up words of all pieces that are no word of the stories themselves."""
    return Inventor(tokenizer, {word for seed in VALIDATION for word in re.findall(r"\w+", write(seed).text)})


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer(write(seed).text for seed in TRAINING[:50_000])
    tokenizer.save_pretrained(folder)
    settings = folder / "tokenizer_config.json"  # the class by the name that older transformers know too
    settings.write_text(settings.read_text().replace("TokenizersBackend", "PreTrainedTokenizerFast"))
    (folder / "generation_config.json").write_text(json.dumps({"bos_token_id": 0, "eos_token_id": 1}, indent=2) + "\n")
    inventor = inventor_of(tokenizer)
    counted, longest = collections.Counter(), 0
    with open(folder / "stories.txt", "w", encoding="utf-8") as out:
        for seed in TRAINING:
            text = write(seed, inventor).text
            out.write(text + "\n")
            ids = tokenizer.backend_tokenizer.encode(text).ids
            ids.append(tokenizer.eos_token_id)
            counted.update(ids)
            longest = max(longest, len(ids))
    read = [counted[i] for i in range(len(tokenizer))]
    rows = [", ".join(map(str, read[at:at + 16])) for at in range(0, len(read), 16)]
    (folder / "token_counts.json").write_text('{"counts": [\n  ' + ",\n  ".join(rows) + "\n]}\n", encoding="utf-8")
    rare = sorted(range(len(tokenizer)), key=lambda i: counted[i])[:16]
    print(f"{len(tokenizer)} tokens; the longest story has {longest}; the tokens read least often: " +
          ", ".join(f"{tokenizer.convert_ids_to_tokens(i)} {counted[i]}" for i in rare))
    cut = tokenizer.backend_tokenizer.pre_tokenizer.pre_tokenize_str
    words = {text[begin:end] for text in (write(seed).text for seed in VALIDATION) for _, (begin, end) in cut(text)}
    print(f"words that fall into pieces: {sorted(word for word in words if len(tokenizer.tokenize(word)) > 1)}")


if __name__ == "__main__":
    main()
