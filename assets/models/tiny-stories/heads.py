# Scores every attention head of the tiny model by what it looks at, over many stories it never saw.
"""A score is the mean share of a head's attention that falls where the role says, over all places where it applies.

    previous   on the token before
    resting    on <s>, where a head looks that has nothing to do
    copying    before each of the magic words that are said again: on that word where it stood first
    holder     before the answer to "Who has the ball?": on the sentence that said so
    stop       the same, on the full stop of that sentence alone
    pronoun    at "he", "she", "him", "her": on the name of the one who is meant
"""
import contextlib
import re

import torch

ROLES = ["previous", "resting", "copying", "holder", "stop", "pronoun"]


def tokens_of(encoding, text, name):
    """The places of all tokens that spell this name."""
    spans = (range(m.start(), m.end()) for m in re.finditer(rf"\b{name}\b", text))
    return sorted({encoding.char_to_token(i) for span in spans for i in span})


def places(story, encoding):
    """For every role the pairs (token that looks, tokens that the role says it looks at); both count <s> as 0."""
    ids, found = encoding.ids, {role: [] for role in ROLES}
    for i in range(2, len(ids)):
        found["previous"].append((i, [i - 1]))
        found["resting"].append((i, [0]))
    for mark in story.marks:
        if mark.kind == "again":
            again, first = (range(encoding.char_to_token(at), encoding.char_to_token(at + len(mark.answer) - 1) + 1)
                            for at in (mark.offset, story.text.find(mark.answer)))
            found["copying"] += [(i - 1, [j]) for i, j in zip(again, first)]
        if mark.kind == "holder":
            looker = encoding.char_to_token(mark.offset - 1)
            first, last = (encoding.char_to_token(at) for at in (mark.because[0], mark.because[1] - 1))
            found["holder"].append((looker, list(range(first, last + 1))))
            found["stop"].append((looker, [last]))
        if mark.kind == "pronoun":
            looker = encoding.char_to_token(mark.offset + 1)
            found["pronoun"].append((looker, [t for t in tokens_of(encoding, story.text, mark.answer) if t < looker]))
    return found


@torch.no_grad()
def scores(model, tokenizer, stories):
    """role -> (what the heads give, what even attention to all tokens so far would give): (layers, heads), number."""
    model.set_attn_implementation("eager")  # the one that hands out its probabilities
    total = {role: torch.zeros(model.config.num_hidden_layers, model.config.num_attention_heads) for role in ROLES}
    even, count = dict.fromkeys(ROLES, 0.0), dict.fromkeys(ROLES, 0)
    for story in stories:
        encoding = tokenizer.backend_tokenizer.encode(story.text)
        attentions = model(torch.tensor([encoding.ids]), output_attentions=True).attentions
        attention = torch.cat(attentions)  # (layers, heads, tokens, tokens)
        for role, pairs in places(story, encoding).items():
            for looker, seen in pairs:
                total[role] += attention[:, :, looker, seen].sum(-1)
                even[role] += len(seen) / (looker + 1)
            count[role] += len(pairs)
    return {role: (total[role] / count[role], even[role] / count[role]) for role in ROLES}


def best(score, number=1):
    """The heads with the highest scores, best first, as (layer, head), both from 0."""
    heads = score.shape[1]
    return [divmod(i, heads) for i in score.flatten().topk(number).indices.tolist()]


@contextlib.contextmanager
def without(model, heads):
    """The model with these (layer, head) silenced: their outputs are 0 before the output projection."""
    size = model.config.hidden_size // model.config.num_attention_heads

    def silence(columns):
        def hook(_, inputs):
            output = inputs[0].clone()  # (stories, tokens, heads * size)
            output[..., columns] = 0
            return (output,)
        return hook

    hooks = [model.model.layers[layer].self_attn.o_proj.register_forward_pre_hook(
        silence(slice(head * size, (head + 1) * size))) for layer, head in heads]
    try:
        yield model
    finally:
        for hook in hooks:
            hook.remove()
