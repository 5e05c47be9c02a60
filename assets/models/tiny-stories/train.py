# Trains the tiny model that ships: stories, tokenizer, model, README.md. Nothing that it writes is edited by hand.
"""usage: train.py [--out FOLDER] [--steps N] [--threads N]

What lies beside this script was made on a CPU with PyTorch 2.13, transformers 5.23 and tokenizers 0.23, by
    python3 train.py --steps 5500
The same seed gives the same stories in the same order; the weights agree as far as the machine's arithmetic does.
"""
import argparse
import math
import pathlib
import random
import time

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

import report
from measures import encode, loss_of, validation_loss
from stories import TRAINING, VALIDATION, write

SEED = 8
VOCABULARY = 512
CONTEXT = 256
BATCH = 2048  # tokens, about: so many stories of like length as fill it
PEAK = 4e-3  # the learning rate after warm-up


def train_tokenizer(texts):
    """Byte-level BPE: 2 special tokens, 256 bytes, and the 254 merges that the texts ask for."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=["<s>", "</s>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>",
                                   model_max_length=CONTEXT, clean_up_tokenization_spaces=False)


def make_model():
    return LlamaForCausalLM(LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=128, intermediate_size=256, num_hidden_layers=4, num_attention_heads=8,
        num_key_value_heads=4, max_position_embeddings=CONTEXT, tie_word_embeddings=True, initializer_range=0.04,
        bos_token_id=0, eos_token_id=1, rms_norm_eps=1e-5))


def batches(rows, rng):
    """Stories of like length together, so that little is padding; drawn anew at every call."""
    order = sorted(rng.sample(range(len(rows)), len(rows)), key=lambda i: len(rows[i]))
    groups = [[]]
    for i in order:
        if (len(groups[-1]) + 1) * len(rows[i]) > BATCH:
            groups.append([])
        groups[-1].append(rows[i])
    rng.shuffle(groups)
    return groups


def learning_rate(step, steps):
    """Up in a line for 200 steps, then down along a cosine to a fiftieth."""
    if step < 200:
        return PEAK * (step + 1) / 200
    return PEAK * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - 200) / max(1, steps - 200))))


def train(model, rows, held_out, steps, keep):
    """Muon for the layers' matrices, AdamW for the embedding and the norms; keep(model) now and then and at the end."""
    matrices = [weight for weight in model.model.layers.parameters() if weight.dim() == 2]
    others = [model.model.embed_tokens.weight] + [weight for weight in model.parameters() if weight.dim() == 1]
    optimizers = [torch.optim.Muon(matrices, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"),
                  torch.optim.AdamW(others, betas=(0.9, 0.98), weight_decay=0.0)]
    rng, queue, begun, smooth = random.Random(SEED), [], time.time(), None
    for step in range(1, steps + 1):
        queue = queue or batches(rows, rng)
        for optimizer in optimizers:
            optimizer.param_groups[0]["lr"] = learning_rate(step - 1, steps)
        loss = loss_of(model, queue.pop())
        model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        if step % 50 == 0:
            print(f"step {step:5}  training loss {smooth:.4f}  {time.time() - begun:6.0f} s", flush=True)
        if step % 500 == 0 or step == steps:
            keep(model)
            print(f"step {step:5}  validation loss {validation_loss(model, held_out):.4f}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    arguments.add_argument("--steps", type=int, default=5500)
    arguments.add_argument("--threads", type=int, default=1)
    chosen = arguments.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(SEED)

    texts = [write(seed).text for seed in TRAINING]
    tokenizer = train_tokenizer(texts[:20_000])
    training = encode(tokenizer, texts)
    held_out = encode(tokenizer, [write(seed).text for seed in VALIDATION[:200]])
    model = make_model()
    print(f"{model.num_parameters():,} parameters, {sum(map(len, training)):,} training tokens", flush=True)

    def keep(model):
        """What ships: the weights rounded to bfloat16, and what transformers needs to load them."""
        rounded = make_model()
        rounded.load_state_dict(model.state_dict())
        rounded.to(torch.bfloat16).save_pretrained(chosen.out)
        tokenizer.save_pretrained(chosen.out)
        settings = chosen.out / "tokenizer_config.json"  # the class by the name that older transformers know too
        settings.write_text(settings.read_text().replace("TokenizersBackend", "PreTrainedTokenizerFast"))

    train(model, training, held_out, chosen.steps, keep)
    report.write_readme(chosen.out, training)


if __name__ == "__main__":
    main()
