# Measures the tiny model as it ships and writes README.md from what came out.
"""usage: report.py FOLDER LOG   LOG: what `headcount train` printed"""
import json
import math
import pathlib
import sys
import textwrap

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

import heads
import stories
from make import inventor_of
from measures import (baselines, coherence, encode, form, repeated_loss, right_answers, sentences,
                      validation_loss)

BEGINNING = "Once upon a time"  # of the samples
ROLES = {
    "previous": "looks at the token before",
    "copying": "before each of the magic words that are said again, looks at that word where it stood first",
    "holder": 'before the answer to "Who has the ball?", looks at the sentence that said so',
    "stop": "the same, at the full stop of that sentence alone",
    "pronoun": "at he, she, him or her, looks at the name of the one who is meant",
}
HEADER = """# Tiny stories: the model that ships

A Llama model small enough to see whole, trained from nothing on little stories that [stories.py](stories.py) writes:
people, objects and places in a [world](world.py) where what was told stays true, and what [happens](plots.py) there.
Some names and things are [made up](invented.py) of the tokenizer's pieces, so that none of them goes unread.
[make.py](make.py) made the tokenizer and the stories, Headcount itself the weights:

```console
$ python3 make.py made
{made}
$ headcount train tiny-stories --text made/stories.txt --tokenizer made --tokens 256 --batch 8 --steps 5500 \\
    --optimizer muon --lr 0.004 --warm-up 200 --weight-decay 0.05 --threads 2 --dtype bf16 -o trained
...
{took}
```

[report.py](report.py) measured them as they ship, in bfloat16 ([measures.py](measures.py), [heads.py](heads.py)), and
wrote this page with PyTorch and transformers.

| | |
|---|--:|
| layers | {config.num_hidden_layers} |
| width | {config.hidden_size} |
| heads, key/value heads | {config.num_attention_heads}, {config.num_key_value_heads} |
| width of the feed-forward | {config.intermediate_size} |
| vocabulary (byte-level BPE, embedding tied to the head) | {config.vocab_size} |
| context | {config.max_position_embeddings} |
| parameters | {parameters} |
| `model.safetensors`, bytes | {bytes} |
| stories (tokens) to learn from | {stories} ({tokens}) |
| stories (tokens) held out, other seeds | {held_out} ({held_out_tokens}) |

## Loss

Nats a token over the held-out stories, every token after `<s>`, the end of the story included.

| | |
|---|--:|
| every token alike | {uniform:.3f} |
| unigram: how often each token is | {unigram:.3f} |
| bigram: given the token before | {bigram:.3f} |
| **the model** | **{loss:.3f}** |

What is left is mostly chance: which name, which object, what happens next is drawn at random.

## Answers

Questions in held-out stories, answered with the likeliest token each time; right means every token of the answer.

| question | asked | right | by naming who was named last |
|---|--:|--:|--:|
"""
COHERENCE = """Stories at temperature 0.8, beside the generator's own.

| | sentences of a form that it learned | questions for an object that the story has | come to "The end." |
|---|--:|--:|--:|"""
HEADS = """Layers and heads count from 0, as in the program. A share is the mean part of a head's attention that falls
where the role says, over all places in 200 held-out stories where the role applies.
"""


def continued(model, tokenizer, told):
    """What the model makes, with the likeliest token each time, of the first half of each story's sentences."""
    texts = []
    for story in told:
        whole = sentences(story.text)
        prompt = "".join(whole[:len(whole) // 2])
        texts.append(sample(model, tokenizer, prompt, do_sample=False)[0][len(prompt):])
    return texts


def sample(model, tokenizer, prompt=BEGINNING, **how):
    torch.manual_seed(0)
    ids = tokenizer(prompt, return_tensors="pt").input_ids
    out = model.generate(ids, max_length=tokenizer.model_max_length, pad_token_id=tokenizer.eos_token_id, **how)
    return [tokenizer.decode(row, skip_special_tokens=True) for row in out]


def percent(share, digits):
    return f"{100 * float(share):.{digits}f} %"


def head_lines(model, tokenizer, told):
    """Which heads do what, and what becomes of the answers without them."""
    scored = heads.scores(model, tokenizer, told)
    yield "| role | best head | its share | the next two | mean of all heads | if it looked evenly |"
    yield "|---|---|--:|---|--:|--:|"
    for role, words in ROLES.items():
        score, even = scored[role]
        name, *others = (f"layer {layer} head {head}" for layer, head in heads.best(score, 3))
        share, *shares = (percent(score[at], 0) for at in heads.best(score, 3))
        yield (f"| **{role}**: {words} | {name} | {share} | " + ", ".join(map("{} ({})".format, others, shares))
               + f" | {percent(score.mean(), 0)} | {percent(even, 0)} |")
    holders = heads.best(scored["holder"][0], 3)
    yield ""
    yield "| silenced (output set to 0) | holder questions answered right | nats a token of magic words said again |"
    yield "|---|--:|--:|"
    copiers = heads.best(scored["copying"][0], 3)
    for words, silent in (("none", []), ("the best holder head", holders[:1]), ("the three best holder heads", holders),
                          ("the best copying head", copiers[:1]), ("the three best copying heads", copiers)):
        with heads.without(model, silent):
            asked, answered, _ = right_answers(model, tokenizer, told)["holder"]
            yield f"| {words} | {percent(answered / asked, 1)} | {repeated_loss(model, tokenizer, told):.3f} |"


def write_readme(folder, log):
    """Everything that README.md says, measured anew."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    told = [stories.write(seed) for seed in stories.VALIDATION]
    validation = encode(tokenizer, [story.text for story in told])
    inventor = inventor_of(tokenizer)
    training = encode(tokenizer, [stories.write(seed, inventor).text for seed in stories.TRAINING])
    unigram, bigram = baselines(training, validation, len(tokenizer))
    right = right_answers(model, tokenizer, told)
    strange = [stories.write(seed, inventor, share=1) for seed in stories.VALIDATION[:300]]
    config = model.config
    lines = HEADER.format(
        made="\n".join(textwrap.wrap((log.parent / "made.log").read_text(), 110)),
        took=next(line for line in reversed(log.read_text().splitlines()) if "a second" in line),
        parameters=f"{model.num_parameters():,}", bytes=f"{(folder / 'model.safetensors').stat().st_size:,}",
        config=config, stories=f"{len(training):,}", tokens=f"{sum(map(len, training)):,}",
        held_out=f"{len(validation):,}", held_out_tokens=f"{sum(len(row) - 1 for row in validation):,}",
        unigram=unigram, bigram=bigram, loss=validation_loss(model, validation), uniform=math.log(len(tokenizer)),
    ).splitlines()
    for kind, words in (("holder", "Who has it? (one name)"),
                        ("where", "Where is it? (a sentence with one of three boxes)")):
        asked, answered, named = right[kind]
        lines.append(f"| {words} | {asked} | {percent(answered / asked, 1)} | {percent(named / asked, 1)} |")
    asked, answered, _ = right_answers(model, tokenizer, strange)["holder"]
    words = "Who has it? (a name that is made up, of several tokens)"
    lines.append(f"| {words} | {asked} | {percent(answered / asked, 1)} | |")
    lines += ["", "## Heads that a class can see", "", HEADS]
    lines += head_lines(model, tokenizer, told[:200])
    lines += ["", "## Prompts worth trying", ""]
    lines += ["Of [prompts.json](prompts.json), with the likeliest token each time:"]
    for prompt in json.loads((pathlib.Path(__file__).parent / "prompts.json").read_text())["prompts"]:
        story = sample(model, tokenizer, prompt["text"], do_sample=False)[0]
        lines += ["", f"- {prompt['shows']}: {prompt['text']}**{story[len(prompt['text']):]}**"]
    lines += ["", "## Samples", "", f"All begin with `{BEGINNING}`. The likeliest token each time:", ""]
    lines += ["> " + text for text in sample(model, tokenizer, do_sample=False)]
    lines += ["", "At temperature 0.8 over the whole vocabulary, seed 0, the first eight, none chosen:"]
    drawn = sample(model, tokenizer, do_sample=True, temperature=0.8, top_k=0, num_return_sequences=200)
    for text in drawn[:8]:
        lines += ["", "> " + text]
    forms = {form(sentence) for seed in stories.TRAINING[:20_000] for sentence in sentences(stories.write(seed).text)}
    lines += ["", "## Coherence", "", COHERENCE]
    ahead = continued(model, tokenizer, told[200:400])
    for words, texts in (("by the model", drawn), ("by the generator, held out", [story.text for story in told])):
        lines.append(f"| {len(texts)} stories {words} | "
                     + " | ".join(percent(share, 1) for share in coherence(texts, forms)) + " |")
    known, _, ended = coherence(ahead, forms)
    count = sum(len(sentences(text)) for text in ahead)
    lines += ["", "The first halves of 200 held-out stories, continued with the likeliest token each time: "
              f"{percent(known, 1)} of {count:,} sentences have a form that it learned, "
              f"{percent(ended, 1)} of the stories come to the end."]
    (folder / "README.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write_readme(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
