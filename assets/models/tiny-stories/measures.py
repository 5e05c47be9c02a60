# What can be measured of the tiny model: loss, baselines, answers, and how far its stories hold together.
import re
from array import array

import torch

import heads
from world import BOYS, COLOURS, CONTAINERS, GIRLS, NOUNS, PLACES

PEOPLE = GIRLS + BOYS


def encode(tokenizer, texts):
    """Token ids, story by story, each between <s> and </s>; those longer than the context are left out."""
    rows = []
    for begin in range(0, len(texts), 1000):
        for encoding in tokenizer.backend_tokenizer.encode_batch(texts[begin:begin + 1000]):
            rows.append(array("H", encoding.ids + [tokenizer.eos_token_id]))
    return [row for row in rows if len(row) <= tokenizer.model_max_length]


def loss_of(model, group, reduction="mean"):
    """Cross entropy of every token after <s>, in nats. Padding is to the right, where no real token sees it."""
    ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in group], True, -1).long()  # (stories, longest)
    logits = model(ids[:, :-1].clamp(min=0), use_cache=False).logits  # (stories, longest - 1, vocabulary)
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=-1,
                                             reduction=reduction)


@torch.no_grad()
def validation_loss(model, rows):
    """Nats a token."""
    total = sum(loss_of(model, rows[i:i + 32], "sum").item() for i in range(0, len(rows), 32))
    return total / sum(len(row) - 1 for row in rows)


def baselines(training, validation, vocabulary):
    """Nats a token of the best guesses that know no token before (unigram), or only the last one (bigram)."""
    counts = torch.full((vocabulary, vocabulary), 0.01, dtype=torch.float64)  # nothing is quite impossible
    for row in training:
        ids = torch.tensor(row).long()
        counts.index_put_((ids[:-1], ids[1:]), torch.ones(1, dtype=torch.float64), accumulate=True)
    unigram = (counts.sum(0) / counts.sum()).log()
    bigram = (counts / counts.sum(1, keepdim=True)).log()
    before = torch.tensor([token for row in validation for token in row[:-1]])
    after = torch.tensor([token for row in validation for token in row[1:]])
    return -unigram[after].mean().item(), -bigram[before, after].mean().item()


@torch.no_grad()
def right_answers(model, tokenizer, told):
    """kind -> [asked, answered right by the model, by naming who was named last]; every token of an answer counts."""
    result = {"holder": [0, 0, 0], "where": [0, 0, 0]}
    for story in told:
        encoding = tokenizer.backend_tokenizer.encode(story.text)
        ids = torch.tensor([encoding.ids])
        likeliest = model(ids).logits[0].argmax(-1)
        for mark in story.marks:
            if mark.kind not in result or len(encoding.ids) > tokenizer.model_max_length:
                continue
            first, last = (encoding.char_to_token(mark.offset + i) for i in (0, len(mark.answer) - 1))
            right = all(likeliest[i - 1] == ids[0, i] for i in range(first, last + 1))
            named = max(PEOPLE, key=lambda name: story.text.rfind(name, 0, mark.offset))
            for i, add in enumerate((1, right, named == mark.answer.strip())):
                result[mark.kind][i] += int(add)
    return result


@torch.no_grad()
def repeated_loss(model, tokenizer, told):
    """Nats a token of the magic words that are said again: what is left to guess of words that need only be copied."""
    total, count = 0.0, 0
    for story in told:
        encoding = tokenizer.backend_tokenizer.encode(story.text)
        lookers = [looker for looker, _ in heads.places(story, encoding)["copying"]]
        ids = torch.tensor([encoding.ids])
        chances = model(ids).logits[0].log_softmax(-1)
        total -= sum(chances[i, ids[0, i + 1]].item() for i in lookers)
        count += len(lookers)
    return total / count


def sentences(text):
    return re.findall(r".+?[.!?]\"?(?= |$)", text)


def form(sentence):
    """A sentence with its names, objects, colours, places and boxes left open."""
    for words, letter in ((PEOPLE, "N"), (NOUNS, "O"), (COLOURS, "C"), (PLACES, "P"),
                          (CONTAINERS, "B")):
        sentence = re.sub(rf"\b({'|'.join(words)})\b", letter, sentence)
    return sentence


def coherence(told, forms):
    """Shares: sentences of a form that the generator has, questions for an object that is there, ends."""
    known = [form(sentence) in forms for text in told for sentence in sentences(text)]
    there = [bool(re.search(rf"\ba \w+ {asked[1]}\b", text[:asked.start()])) for text in told
             for asked in re.finditer(r"(?:Where is|Who has) the (\w+)\?", text)]
    ended = [text.endswith("The end.") for text in told]
    return [sum(held) / len(held) for held in (known, there, ended)]
