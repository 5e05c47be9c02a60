"""Plants mistakes in small transformers and writes what they then make: diagnose/FAMILY/ has a model (config.json,
model.safetensors in bfloat16), diagnose/CASE.safetensors what the program with the mistake writes, and diagnose/cases.json
what was planted where.

    python diagnose.py OUT [SEED]      needs torch and safetensors; nothing of transformers
"""
import json
import math
import pathlib
import sys

import torch
from safetensors.torch import save_file

F = torch.nn.functional
IDS = [3, 17, 41, 8, 29, 60, 5]
SIZES = dict(vocab=61, layers=2, heads=4)


class Weights(dict):
    """Random numbers, drawn so that nothing is too small to matter, and stored in bfloat16."""

    def __init__(self, seed):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def draw(self, name, *shape, scale=None, around=0.0):
        scale = scale if scale is not None else 1 / math.sqrt(shape[-1])
        self[name] = (around + scale * torch.randn(*shape, generator=self.generator)).bfloat16().float()


def rms(x, g, epsilon, offset=0.0, bugs=()):
    square = x.var(-1, keepdim=True, unbiased=False) if "norm-mean-kept" in bugs else x.pow(2).mean(-1, keepdim=True)
    if "norm-over-all" in bugs:
        square = x.pow(2).mean()
    if "norm-multiplied" in bugs:
        return x * torch.sqrt(square + epsilon) * (offset + g)
    if "norm-unrooted" in bugs:
        return x / (square + epsilon) * (offset + g)
    return x * torch.rsqrt(square + epsilon) * (offset + g)


def rope(x, places, base=10000.0, neighbours=False, whole=False, crossed=False, added=False, bugs=()):
    """x: (heads, T, d_h); places: (T)."""
    if "rope-by-head" in bugs:
        return rope(x.transpose(0, 1), torch.arange(x.shape[0]), base).transpose(0, 1)
    if "rope-twice" in bugs:
        x = rope(x, places, base)
    if "rope-half-of-columns" in bugs:
        half = x.shape[-1] // 2
        return torch.cat([rope(x[..., :half], places, base), x[..., half:]], -1)
    if whole:
        h, t, d = x.shape
        return rope(x.transpose(0, 1).reshape(1, t, h * d), places, base, neighbours).view(t, h, d).transpose(0, 1)
    d = x.shape[-1]
    angles = torch.outer(places.float(), base ** (-torch.arange(0, d, 2).float() / d))
    cos, sin = angles.cos(), angles.sin()
    if "rope-sines-exchanged" in bugs:
        cos, sin = sin, cos
    if neighbours:
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2).to(x.dtype)
    a, b = x[..., : d // 2], x[..., d // 2:]
    if crossed:
        cos, sin = (each.repeat_interleave(2, -1) for each in (cos, sin))
        return x * cos + torch.cat([-b, a], -1) * sin
    if added:
        return torch.cat([a * cos + b * sin, b * cos + a * sin], -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)


class Small:
    """One forward pass with at most a few mistakes (`bugs`, a set of words). `seen` has what it makes on its way."""

    def __init__(self, weights, bugs=()):
        self.w, self.bugs, self.seen = weights, set(bugs), {}

    def write(self, logits):
        if self.has("logits-softmax"):
            logits = logits.softmax(-1)
        if self.has("logits-sigmoid"):
            logits = logits.sigmoid()
        if self.has("logits-log-softmax"):
            logits = logits.log_softmax(-1)
        return self.keep("logits", logits)

    def has(self, bug):
        return bug in self.bugs

    def keep(self, name, value):
        self.seen[name] = value.clone()
        return value

    def split(self, x, heads):
        t, c = x.shape
        if self.has("heads-split-by-columns") or self.has("heads-by-columns"):
            return x.view(t, c // heads, heads).permute(2, 0, 1)
        if self.has("heads-split-without-transpose") or self.has("heads-without-transpose"):
            return x.reshape(heads, t, c // heads)
        return x.view(t, heads, c // heads).transpose(0, 1)

    def join(self, x):
        h, t, d = x.shape
        if self.has("heads-joined-by-columns") or self.has("heads-by-columns"):
            return x.permute(1, 2, 0).reshape(t, h * d)
        if self.has("heads-joined-without-transpose") or self.has("heads-without-transpose"):
            return x.reshape(t, h * d)
        return x.transpose(0, 1).reshape(t, h * d)

    def attend(self, q, k, v, at, scale, window=None):
        h, t, d = q.shape
        if k.shape[0] != h:
            times = h // k.shape[0]
            if self.has("kv-heads-first"):
                k, v = k[:1].expand(h, t, d), v[:1].expand(h, t, d)
            else:
                keys, values = self.has("kv-heads-in-turn"), self.has("kv-heads-in-turn") or self.has("value-heads-in-turn")
                k = k.repeat(times, 1, 1) if keys else k.repeat_interleave(times, 0)
                v = v.repeat(times, 1, 1) if values else v.repeat_interleave(times, 0)
        if self.has("attention-between-heads"):
            q, k, v = (each.transpose(0, 1) for each in (q, k, v))
            return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale).reshape(t, h * d)
        if self.has("values-are-keys"):
            v = k
        if self.has("scores-unscaled"):
            scale = 1.0
        if self.has("scores-scaled-twice"):
            scale = scale * scale
        if self.has("scores-by-width"):
            scale = 1 / math.sqrt(self.dim)
        if self.has("scores-by-row"):
            scale = 1 / math.sqrt(h * d)
        if self.has("scores-by-kv-row"):
            scale = 1 / math.sqrt(self.kv * d)
        if self.has("scores-by-tokens"):
            scale = 1 / math.sqrt(t)
        if self.has("scores-by-half"):
            scale = 1 / (d ** 1 / 2)
        if self.has("scores-by-double"):
            scale = d ** -1 / 2
        if self.has("scores-of-length-1"):
            q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
        if self.has("query-heads-first"):
            q = q[:1].expand(h, t, d)
        turned = k.reshape(h, d, t) if self.has("keys-reshaped") else k.transpose(-1, -2)
        scores = q @ turned * (1 if self.has("scale-after-softmax") else scale)
        if self.has("unknown-temperature"):
            scores = scores * 1.4
        ahead = 1 if self.has("mask-one-later") else -1 if self.has("mask-not-itself") else 0
        mask = torch.eye(t).bool() if self.has("cache-not-extended") else torch.ones(t, t).tril(ahead).bool()
        if window and not self.has("window-none"):
            window += 1 if self.has("window-one-more") else -1 if self.has("window-one-less") else 0
            mask &= ~torch.ones(t, t).tril(-window).bool()
        if self.has("mask-transposed"):
            mask = mask.T
        if self.has("mask-none"):
            mask = torch.ones(t, t).bool()
        if self.has("mask-inverted"):
            mask = ~mask
        if self.has("softmax-missing"):
            weights = scores * mask
        elif self.has("mask-after-softmax"):
            weights = scores.softmax(-1) * mask
        elif self.has("mask-times-scores"):
            weights = (scores * mask).softmax(-1)
        elif self.has("mask-score-10"):
            weights = scores.masked_fill(~mask, -10.0).softmax(-1)
        elif self.has("mask-ones-for-seen"):
            weights = (scores + mask).softmax(-1)
        elif self.has("mask-ones-for-masked"):
            weights = (scores + ~mask).softmax(-1)
        else:
            scores = scores.masked_fill(~mask, -1e9)
            weights = scores.softmax(-2 if self.has("softmax-over-queries") else 0 if self.has("softmax-over-heads") else -1)
        if self.has("softmax-twice"):
            weights = weights.softmax(-1)
        if self.has("scale-after-softmax"):
            weights = weights * scale
        self.keep(f"{at}.attn_weights", weights)
        return self.join((weights.transpose(-1, -2) if self.has("weights-transposed") else weights) @ v)

    def places(self, t):
        """Of each token its position; of the last one as it is read behind a cache."""
        places = torch.arange(t) + (self.has("rope-from-1") or self.has("positions-from-1"))
        if self.has("positions-backwards"):
            places = places.flip(0)
        if self.has("cache-position-first"):
            places[-1] = 0
        if self.has("cache-position-one-more"):
            places[-1] += 1
        if self.has("cache-position-one-less"):
            places[-1] -= 1
        return places

    def drop(self, x):
        return F.dropout(x, 0.1) if self.has("dropout-on") else x

    def epsilon_now(self):
        other = [bug.removeprefix("norm-epsilon-") for bug in self.bugs if bug.startswith("norm-epsilon-")]
        return float(other[0]) if other else 4e-4 if self.has("unknown-epsilon") else self.epsilon

    def add(self, x, made, of):
        if self.has(f"residual-missing-{of}"):
            return made
        if self.has("unknown-residual-share"):
            return x + 0.9 * made
        if self.has(f"residual-twice-{of}"):
            return 2 * x + made
        if self.has(f"output-twice-{of}"):
            return x + 2 * made
        if self.has(f"sum-halved-{of}"):
            return (x + made) / 2
        if self.has(f"sum-by-root-2-{of}"):
            return (x + made) / math.sqrt(2)
        return x + made


class GPT2(Small):
    """Learned positions, LayerNorm, GELU, biases everywhere, a fused matrix, a tied head."""

    name, dim, epsilon = "gpt2", 32, 1e-5

    @classmethod
    def config(cls):
        return {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": SIZES["vocab"],
                "n_positions": 16, "n_embd": cls.dim, "n_layer": SIZES["layers"], "n_head": SIZES["heads"],
                "activation_function": "gelu_new", "layer_norm_epsilon": cls.epsilon, "tie_word_embeddings": True}

    @classmethod
    def weights(cls, seed):
        w, d = Weights(seed), cls.dim
        w.draw("transformer.wte.weight", SIZES["vocab"], d, scale=0.3)
        w.draw("transformer.wpe.weight", 16, d, scale=0.2)
        for i in range(SIZES["layers"]):
            at = f"transformer.h.{i}."
            for norm in ("ln_1", "ln_2"):
                w.draw(at + norm + ".weight", d, scale=0.3, around=1.0)
                w.draw(at + norm + ".bias", d, scale=0.2)
            for name, rows, columns in (("attn.c_attn", d, 3 * d), ("attn.c_proj", d, d), ("mlp.c_fc", d, 4 * d),
                                        ("mlp.c_proj", 4 * d, d)):
                w.draw(at + name + ".weight", rows, columns, scale=1.2 / math.sqrt(rows))
                w.draw(at + name + ".bias", columns, scale=0.2)
        w.draw("transformer.ln_f.weight", d, scale=0.3, around=1.0)
        w.draw("transformer.ln_f.bias", d, scale=0.2)
        return w

    def norm(self, x, name):
        if self.has("norms-twice"):
            return self.norm_once(self.norm_once(x, name), name)
        return self.norm_once(x, name)

    def norm_once(self, x, name):
        g, b = self.w[name + ".weight"], self.w[name + ".bias"]
        if self.has("norm-weight-and-bias"):
            g, b = b, g
        if self.has("norms-untrained") or (self.has("untrained-final_norm") and "ln_f" in name):
            g, b = torch.ones_like(g), torch.zeros_like(b)
        if self.has("norm-bias-inside"):
            b = b * g
        if (self.has("missing-attention.norm") and "ln_1" in name) or (self.has("missing-feed_forward.norm") and "ln_2" in name):
            return x
        epsilon = self.epsilon_now()
        if self.has("norm-not-centred"):
            return rms(x, g, epsilon) + b
        if self.has("norm-standard-deviation"):
            return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + epsilon) * g + b
        if self.has("norm-mean-kept"):
            return x / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + epsilon) * g + b
        if self.has("norm-unrooted"):
            return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, unbiased=False) + epsilon) * g + b
        if self.has("norm-over-all"):
            return F.layer_norm(x, x.shape, None, None, epsilon) * g + b
        if self.has("norm-less-one"):
            return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + epsilon) * g + b
        if self.has("norm-over-tokens"):
            return (x - x.mean(0, keepdim=True)) / torch.sqrt(x.var(0, keepdim=True, unbiased=False) + epsilon) * g + b
        return F.layer_norm(x, (self.dim,), g, b, epsilon)

    def linear(self, x, name):
        last = SIZES["layers"] - 1
        if self.has("attention-alike-last") and ".attn." in name:
            name = name.replace(".0.", f".{last}.")
        if self.has("feed_forward-alike") and ".mlp." in name:
            name = name.replace(f".{last}.", ".0.")
        weight = self.w[name + ".weight"]
        if self.has("transposed-attention.output.weight") and name.endswith("attn.c_proj"):
            weight = weight.T
        if self.has("missing-attention.qkv.bias") and name.endswith("attn.c_attn"):
            return x @ weight
        if self.has("biases-missing") or (self.has("missing-feed_forward.down.bias") and name.endswith("mlp.c_proj")):
            return x @ weight
        return x @ weight + self.w[name + ".bias"] * (2 if self.has("biases-twice") else 1)

    def forward(self, ids):
        w, d, h = self.w, self.dim, SIZES["heads"]
        t = len(ids)
        x = w["transformer.wte.weight"][ids]
        if self.has("embedding-of-length-1"):
            x = F.normalize(x, dim=-1)
        places = self.places(t) * (not self.has("positions-all-first")) + 2 * self.has("positions-from-2")
        times = 0 if self.has("positions-none") else 2 if self.has("positions-twice") else 1
        rows = w["transformer.wpe.weight"][places]
        if self.has("positions-waves"):
            angles = torch.outer(places.float(), 10000.0 ** (-torch.arange(0, d, 2).float() / d))
            rows = torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
        x = self.keep("drop", x + times * rows)
        if self.has("positions-scaled"):
            x = x * math.sqrt(d)
        self.keep("embed", x), self.keep("hidden_states.0", x)
        order = range(SIZES["layers"])
        if self.has("layers-each-twice"):
            order = [each for i in order for each in (i, i)]
        if self.has("layers-twice"):
            order = [*order, *order]
        if self.has("layer-twice-first"):
            order = [0, *order]
        if self.has("final-norm-before-layers"):
            x = self.norm(x, "transformer.ln_f")
        for i in order:
            if self.has("layer-missing-0") and i == 0 or self.has("layer-missing") and i == 1:
                continue
            if self.has("positions-in-layers") and i > 0:
                x = x + rows
            of = SIZES["layers"] - 1 if self.has("layers-alike-last") else 0 if self.has("layers-alike") else SIZES["layers"] - 1 - i if self.has("layers-backwards") else i
            at, name = f"transformer.h.{of}.", f"h.{i}"
            post = self.has("norm-after")
            n = x if post else self.keep(f"{name}.ln_1", self.norm(x, at + "ln_1"))
            fused = self.keep(f"{name}.attn.c_attn", self.linear(n, at + "attn.c_attn"))
            if self.has("fused-by-head"):
                q, k, v = fused.view(t, h, 3, d // h).permute(2, 0, 1, 3).reshape(3, t, d)
            else:
                q, k, v = fused.split(d, -1)
            if self.has("order-kqv"):
                q, k = k, q
            if self.has("order-qvk"):
                k, v = v, k
            if self.has("keys-by-queries"):
                k = q
            if self.has("values-by-keys"):
                v = k
            key, value = (slice(part * d, (part + 1) * d) for part in (1, 2))
            if self.has("keys-of-queries"):
                k = q @ w[at + "attn.c_attn.weight"][:, key] + w[at + "attn.c_attn.bias"][key]
            if self.has("values-of-keys"):
                v = k @ w[at + "attn.c_attn.weight"][:, value] + w[at + "attn.c_attn.bias"][value]
            if self.has("value-projection-missing"):
                v = n
            if self.has("values-split-without-transpose"):
                v = v.reshape(h, t, d // h).transpose(0, 1).reshape(t, d)
            h = next((count for count in (1, 2, 8) if self.has(f"heads-{count}")), h)
            self.keep(f"{name}.attn.q", q), self.keep(f"{name}.attn.k", k), self.keep(f"{name}.attn.v", v)
            mixed = self.attend(self.split(q, h), self.split(k, h), self.split(v, h), f"{name}.attn",
                                1 / math.sqrt(d // h))
            out = mixed if self.has("output-projection-missing") else self.linear(mixed, at + "attn.c_proj")
            self.keep(f"{name}.attn.out", out)
            enters = x
            x = self.add(n if self.has("residual-of-normed") else x, out, "attention")
            if post:
                x = self.norm(x, at + "ln_1")
            n = x if post else self.keep(f"{name}.ln_2", self.norm(enters if self.has("side-by-side") else out if self.has("feed-forward-of-attention") else x, at + "ln_2"))
            gelu = lambda each: F.gelu(each, approximate="tanh")
            u = self.linear(gelu(n) if self.has("activation-first") else n, at + "mlp.c_fc")
            act = (u.relu() if self.has("activation-relu") else
                   F.gelu(u, approximate="none" if self.has("activation-gelu") else "tanh"))
            if self.has("activation-behind"):
                made = gelu(self.linear(u, at + "mlp.c_proj"))
            elif self.has("activation-again"):
                made = gelu(self.linear(act, at + "mlp.c_proj"))
            elif self.has("activation-first"):
                made = self.linear(u, at + "mlp.c_proj")
            else:
                made = self.linear(act, at + "mlp.c_proj")
            out = self.keep(f"{name}.mlp", self.drop(made))
            x = self.add(n if self.has("residual-of-normed") else enters if self.has("residual-of-layer") else x, out,
                         "feed_forward")
            if post:
                x = self.norm(x, at + "ln_2")
            if self.has("final-norm-in-layers"):
                x = self.norm(x, "transformer.ln_f")
            self.keep(name, x), self.keep(f"hidden_states.{i + 1}", x)
        if not self.has("missing-final_norm") and not self.has("final-norm-in-layers"):
            x = self.keep("ln_f", self.norm(x, "transformer.ln_f"))
            self.keep(f"hidden_states.{SIZES['layers']}", x)  # as transformers gives the last one
        if self.has("twice-final_norm"):
            x = self.norm(x, "transformer.ln_f")
        return self.write(x @ w["transformer.wte.weight"].T / (math.sqrt(d) if self.has("logits-by-root") else 1))


class Llama(Small):
    """RMSNorm, RoPE, grouped queries, SwiGLU."""

    name, dim, epsilon, kv, head, ffn, base, offset = "llama", 32, 1e-5, 2, 8, 48, 10000.0, 0.0
    around, tied, window = 1.0, False, None

    @classmethod
    def config(cls):
        return {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": SIZES["vocab"],
                "hidden_size": cls.dim, "intermediate_size": cls.ffn, "num_hidden_layers": SIZES["layers"],
                "num_attention_heads": SIZES["heads"], "num_key_value_heads": cls.kv, "rms_norm_eps": cls.epsilon,
                "rope_theta": cls.base, "max_position_embeddings": 64, "hidden_act": "silu",
                "tie_word_embeddings": cls.tied}

    @classmethod
    def feed_forward_weights(cls, w, at):
        for name, rows, columns in (("gate_proj", cls.ffn, cls.dim), ("up_proj", cls.ffn, cls.dim),
                                    ("down_proj", cls.dim, cls.ffn)):
            w.draw(f"{at}mlp.{name}.weight", rows, columns, scale=1.5 / math.sqrt(columns))

    @classmethod
    def weights(cls, seed):
        w, d, h = Weights(seed), cls.dim, SIZES["heads"]
        w.draw("model.embed_tokens.weight", SIZES["vocab"], d, scale=0.3)
        for i in range(SIZES["layers"]):
            at = f"model.layers.{i}."
            for norm in ("input_layernorm", "post_attention_layernorm"):
                w.draw(at + norm + ".weight", d, scale=0.3, around=cls.around)
            for name, rows, columns in (("q_proj", h * cls.head, d), ("k_proj", cls.kv * cls.head, d),
                                        ("v_proj", cls.kv * cls.head, d), ("o_proj", d, h * cls.head)):
                w.draw(f"{at}self_attn.{name}.weight", rows, columns, scale=1.5 / math.sqrt(columns))
            cls.feed_forward_weights(w, at)
        w.draw("model.norm.weight", d, scale=0.3, around=cls.around)
        if not cls.tied:
            w.draw("lm_head.weight", SIZES["vocab"], d)
        return w

    def norm(self, x, name):
        if self.has("weights-of-attention.norm-in-feed_forward.norm"):
            name = name.replace("post_attention_layernorm", "input_layernorm")
        g = self.w[name + ".weight"]
        offset = 0.0 if self.has("norm-offset-missing") else self.offset
        epsilon = self.epsilon_now()
        if self.has("norm-centred"):
            return F.layer_norm(x, (self.dim,), offset + g, None, epsilon)
        return rms(x, g, epsilon, offset, self.bugs)

    def turn(self, x):
        base = 500000.0 if self.has("rope-base-500000") else self.base
        if self.has("rope-exponent-twice"):
            base = base * base
        if self.has("rope-exponent"):
            base = math.sqrt(base)
        if self.has("rope-exponent-of-width"):
            base = base ** (self.head / self.dim)
        return rope(x, self.places(x.shape[-2]), base, self.has("rope-neighbours"), self.has("rope-whole-row"),
                    self.has("rope-angles-crossed"), self.has("rope-without-minus"), self.bugs)

    def act(self, x):
        return x.relu() if self.has("activation-relu") else F.silu(x)

    def feed_forward(self, x, at, name):
        w = self.w
        gate = self.keep(f"{name}.mlp.gate_proj", x @ w[at + "mlp.gate_proj.weight"].T)
        up = self.keep(f"{name}.mlp.up_proj", x @ w[at + "mlp.up_proj.weight"].T)
        if self.has("gate-and-up"):
            gate, up = up, gate
        if self.has("gate-by-up"):
            gate = up
        if self.has("gate-up-in-turn"):
            fused = torch.cat([gate, up], -1)
            gate, up = fused[..., ::2], fused[..., 1::2]
        hidden = gate * up if self.has("activation-linear") else self.act(gate) * up
        if self.has("gate-added"):
            hidden = self.act(gate) + up
        if self.has("up-missing"):
            hidden = self.act(gate)
        if self.has("activation-of-product"):
            hidden = self.act(gate * up)
        if self.has("activation-of-both"):
            hidden = self.act(gate) * self.act(up)
        if self.has("unknown-clamp"):
            hidden = hidden.clamp(-0.5, 0.5)
        if self.has("activation-behind"):
            return self.act((gate * up) @ w[at + "mlp.down_proj.weight"].T)
        return hidden @ w[at + "mlp.down_proj.weight"].T

    def embed(self, ids):
        return self.w["lm_head.weight" if self.has("embedding-tied") else "model.embed_tokens.weight"][ids]

    def forward(self, ids):
        w, h = self.w, SIZES["heads"]
        x = self.keep("model.embed_tokens", self.embed(ids))
        for i in range(SIZES["layers"]):
            at, name = f"model.layers.{i}.", f"layers.{i}"
            n = self.keep(f"{name}.input_layernorm", self.norm(x, at + "input_layernorm"))
            q, k, v = (n @ w[f"{at}self_attn.{p}_proj.weight"].T for p in "qkv")
            if self.has("order-qvk"):
                k, v = v, k
            if self.has("order-kvq"):
                k, v, q = torch.cat([q, k, v], -1).split([self.kv * self.head, self.kv * self.head, h * self.head], -1)
            if self.has("transposed-attention.query.weight"):
                q = n @ w[at + "self_attn.q_proj.weight"]
            if self.has("unnormed-attention.values"):
                v = x @ w[at + "self_attn.v_proj.weight"].T
            if self.has("fused-by-head"):
                groups = torch.cat([q, k, v], -1).view(len(ids), self.kv, h // self.kv + 2, self.head)
                q, k, v = (each.reshape(len(ids), -1) for each in groups.split([h // self.kv, 1, 1], -2))
            self.keep(f"{name}.self_attn.q_proj", q), self.keep(f"{name}.self_attn.k_proj", k)
            q, k, v = self.split(q, h), self.split(k, self.kv), self.split(v, self.kv)
            if not self.has("rope-none") and not self.has("rope-not-on-queries"):
                q = self.turn(q)
            if not self.has("rope-none") and not self.has("rope-not-on-keys"):
                k = self.turn(k)
            if self.has("rope-twice-on-keys"):
                k = self.turn(k)
            if self.has("rope-on-values"):
                v = self.turn(v)
            self.keep(f"{name}.self_attn.q_rot", q), self.keep(f"{name}.self_attn.k_rot", k)
            if self.has("feed-forward-first"):
                x = x + self.feed_forward(self.norm(x, at + "post_attention_layernorm"), at, name)
                n = self.norm(x, at + "input_layernorm")
                q, k, v = (self.split(n @ w[f"{at}self_attn.{p}_proj.weight"].T, heads)
                           for p, heads in zip("qkv", (h, self.kv, self.kv)))
                mixed = self.attend(self.turn(q), self.turn(k), v, name, 1 / math.sqrt(self.head), self.window)
                x = self.keep(name, x + mixed @ w[at + "self_attn.o_proj.weight"].T)
                continue
            mixed = self.attend(q, k, v, f"{name}.self_attn", 1 / math.sqrt(self.head), self.window)
            x = self.add(n if self.has("residual-of-normed-attention") else x, self.keep(f"{name}.self_attn", mixed @ w[at + "self_attn.o_proj.weight"].T), "attention")
            n = self.keep(f"{name}.post_attention_layernorm", self.norm(x, at + "post_attention_layernorm"))
            x = self.add(x, self.keep(f"{name}.mlp", self.feed_forward(n, at, name)), "feed_forward")
            self.keep(name, x)
        if not self.has("missing-final_norm"):
            x = self.norm(x, "model.norm")
        return self.write(x @ w["model.embed_tokens.weight" if self.tied or self.has("head-tied") else "lm_head.weight"].T)


class Gemma(Llama):
    """1 + g, embedded rows times the root of the width, GELU in the gate, heads wider than the row's share, a tied head."""

    name, kv, head, offset, around, tied, epsilon = "gemma", 1, 16, 1.0, 0.0, True, 1e-6

    @classmethod
    def config(cls):
        return {**super().config(), "model_type": "gemma", "architectures": ["GemmaForCausalLM"], "head_dim": cls.head,
                "hidden_act": "gelu_pytorch_tanh", "hidden_activation": "gelu_pytorch_tanh"}

    def embed(self, ids):
        return super().embed(ids) * (1.0 if self.has("embedding-unscaled") else math.sqrt(self.dim))

    def act(self, x):
        return F.silu(x) if self.has("activation-silu") else F.gelu(x, approximate="tanh")


class Mixtral(Llama):
    """Experts, of which a router chooses, and a window."""

    name, ffn, experts, chosen, window, base = "mixtral", 24, 4, 2, 4, 1000000.0

    @classmethod
    def config(cls):
        return {**super().config(), "model_type": "mixtral", "architectures": ["MixtralForCausalLM"],
                "num_local_experts": cls.experts, "num_experts_per_tok": cls.chosen, "sliding_window": cls.window}

    @classmethod
    def feed_forward_weights(cls, w, at):
        w.draw(at + "block_sparse_moe.gate.weight", cls.experts, cls.dim, scale=2 / math.sqrt(cls.dim))
        for e in range(cls.experts):
            for name, rows, columns in (("w1", cls.ffn, cls.dim), ("w2", cls.dim, cls.ffn), ("w3", cls.ffn, cls.dim)):
                w.draw(f"{at}block_sparse_moe.experts.{e}.{name}.weight", rows, columns, scale=1.5 / math.sqrt(columns))

    def feed_forward(self, x, at, name):
        w = self.w
        scores = self.keep(f"{name}.router", x @ w[at + "block_sparse_moe.gate.weight"].T)
        chosen = 1 if self.has("experts-1") else 3 if self.has("experts-3") else self.chosen
        if self.has("router-not-normalised"):
            weights, which = scores.softmax(-1).topk(chosen)
        elif self.has("router-raw"):
            weights, which = scores.topk(chosen)
        elif self.has("router-over-tokens"):
            weights, which = scores.softmax(0).topk(chosen)
            weights = weights / weights.sum(-1, keepdim=True)
        else:
            best, which = scores.topk(chosen, largest=not self.has("router-worst"))
            weights = torch.full_like(best, 1 / chosen) if self.has("router-alike") else best.sigmoid() if self.has("router-sigmoid") else best.softmax(-1)
        out = torch.zeros_like(x)
        for t in range(len(x)):
            for i in range(chosen):
                if (self.has("experts-last") and which[t, i] != which[t].max()) or (self.has("experts-last-chosen") and i + 1 < chosen):
                    continue  # written over
                expert = f"{at}block_sparse_moe.experts.{(which[t, i] + self.has('experts-from-1')) % self.experts}."
                gate, up = x[t] @ w[expert + "w1.weight"].T, x[t] @ w[expert + "w3.weight"].T
                if self.has("gate-and-up"):
                    gate, up = up, gate
                out[t] += weights[t, i] * ((self.act(gate) * up) @ w[expert + "w2.weight"].T)
        return out


class NeoX(Small):
    """Sub-blocks side by side, RoPE on a part of each head's columns, a matrix fused head by head, GELU, biases."""

    name, dim, epsilon, ffn = "gpt_neox", 32, 1e-5, 48

    @classmethod
    def config(cls):
        return {"model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"], "vocab_size": SIZES["vocab"],
                "hidden_size": cls.dim, "num_hidden_layers": SIZES["layers"], "num_attention_heads": SIZES["heads"],
                "intermediate_size": cls.ffn, "hidden_act": "gelu", "rotary_pct": 0.5, "rotary_emb_base": 10000,
                "layer_norm_eps": cls.epsilon, "use_parallel_residual": True, "max_position_embeddings": 64,
                "tie_word_embeddings": False}

    @classmethod
    def weights(cls, seed):
        w, d = Weights(seed), cls.dim
        w.draw("gpt_neox.embed_in.weight", SIZES["vocab"], d, scale=0.4)
        norms = [f"gpt_neox.layers.{i}.{norm}" for i in range(SIZES["layers"])
                 for norm in ("input_layernorm", "post_attention_layernorm")]
        for norm in [*norms, "gpt_neox.final_layer_norm"]:
            w.draw(norm + ".weight", d, scale=0.3, around=1.0)
            w.draw(norm + ".bias", d, scale=0.2)
        for i in range(SIZES["layers"]):
            for name, rows, columns in (("attention.query_key_value", 3 * d, d), ("attention.dense", d, d),
                                        ("mlp.dense_h_to_4h", cls.ffn, d), ("mlp.dense_4h_to_h", d, cls.ffn)):
                w.draw(f"gpt_neox.layers.{i}.{name}.weight", rows, columns, scale=1.3 / math.sqrt(columns))
                w.draw(f"gpt_neox.layers.{i}.{name}.bias", rows, scale=0.2)
        w.draw("embed_out.weight", SIZES["vocab"], d)
        return w

    def norm(self, x, name):
        return F.layer_norm(x, (self.dim,), self.w[name + ".weight"], self.w[name + ".bias"], self.epsilon)

    def linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def turn(self, x):
        if self.has("rope-last-columns"):
            half = x.shape[-1] // 2
            return torch.cat([x[..., :half], rope(x[..., half:], self.places(x.shape[-2]))], -1)
        turned = x.shape[-1] if self.has("rope-all-columns") else x.shape[-1] // 2
        return torch.cat([rope(x[..., :turned], self.places(x.shape[-2])), x[..., turned:]], -1)

    def forward(self, ids):
        h, t, d = SIZES["heads"], len(ids), self.dim
        x = self.w["gpt_neox.embed_in.weight"][ids]
        for i in range(SIZES["layers"]):
            at, name = f"gpt_neox.layers.{i}.", f"layers.{i}"
            fused = self.linear(self.norm(x, at + "input_layernorm"), at + "attention.query_key_value")
            if self.has("fused-in-blocks"):
                q, k, v = (self.split(each, h) for each in fused.split(d, -1))
            else:
                q, k, v = fused.view(t, h, 3, d // h).permute(2, 1, 0, 3)
            mixed = self.attend(self.turn(q), self.turn(k), v, f"{name}.attention", 1 / math.sqrt(d // h))
            out = self.keep(f"{name}.attention", self.linear(mixed, at + "attention.dense"))
            if self.has("one-behind-the-other"):
                x = x + out
            hidden = F.gelu(self.linear(self.norm(x, at + "post_attention_layernorm"), at + "mlp.dense_h_to_4h"))
            made = self.keep(f"{name}.mlp", self.linear(hidden, at + "mlp.dense_4h_to_h"))
            terms = [] if self.has("residual-missing") else [self.norm(x, at + "input_layernorm") if self.has("residual-of-normed") else x]
            if not self.has("one-behind-the-other") and not self.has("attention-missing"):
                terms.append(out)
            x = self.keep(name, sum([*terms, made]))
        return self.write(self.norm(x, "gpt_neox.final_layer_norm") @ self.w["embed_out.weight"].T)


FAMILIES = [GPT2, Llama, Gemma, Mixtral, NeoX]

# Family, mistakes, and what is written besides the logits, by the names that it is kept by on the way.
CASES = [
    ("gpt2", ["positions-none"], []),
    ("gpt2", ["positions-twice"], ["drop"]),
    ("gpt2", ["positions-from-1"], []),
    ("gpt2", ["norm-not-centred"], ["h.0.ln_1", "h.1.mlp"]),
    ("gpt2", ["norm-standard-deviation"], []),
    ("gpt2", ["norm-less-one"], ["h.0.ln_1"]),
    ("gpt2", ["norm-over-tokens"], []),
    ("gpt2", ["norm-epsilon-1e-3"], []),
    ("gpt2", ["norm-after"], ["h.0.attn.q", "h.0"]),
    ("gpt2", ["activation-gelu"], []),
    ("gpt2", ["activation-relu"], ["h.0.mlp", "h.0"]),
    ("gpt2", ["fused-by-head"], ["h.0.attn.q", "h.0.attn.k", "h.0.attn.out"]),
    ("gpt2", ["order-kqv"], []),
    ("gpt2", ["heads-without-transpose"], []),
    ("gpt2", ["heads-joined-without-transpose"], ["h.0.attn.q", "h.0.attn.out", "h.1.attn.out"]),
    ("gpt2", ["transposed-attention.output.weight"], ["h.0.attn.attn_weights", "h.0.attn.out"]),
    ("gpt2", ["output-projection-missing"], []),
    ("gpt2", ["missing-feed_forward.down.bias"], []),
    ("gpt2", ["residual-missing-attention"], ["h.0.attn.out", "h.0"]),
    ("gpt2", ["residual-of-normed"], []),
    ("gpt2", ["side-by-side"], ["h.0.ln_2", "h.1"]),
    ("gpt2", ["mask-none"], ["h.0.attn.attn_weights"]),
    ("gpt2", ["mask-not-itself"], []),
    ("gpt2", ["mask-after-softmax"], ["h.0.attn.attn_weights", "h.0.attn.out"]),
    ("gpt2", ["softmax-over-queries"], []),
    ("gpt2", ["layers-alike"], []),
    ("gpt2", ["missing-final_norm"], []),
    ("llama", ["rope-neighbours"], ["layers.0.self_attn.q_proj", "layers.0.self_attn.q_rot"]),
    ("llama", ["rope-none"], []),
    ("llama", ["rope-not-on-keys"], ["layers.0.self_attn.k_proj", "layers.0.self_attn.attn_weights"]),
    ("llama", ["rope-on-values"], []),
    ("llama", ["rope-base-500000"], []),
    ("llama", ["rope-whole-row"], []),
    ("llama", ["kv-heads-in-turn"], ["layers.0.self_attn.q_rot", "layers.0.self_attn.attn_weights"]),
    ("llama", ["heads-split-without-transpose"], []),
    ("llama", ["scores-unscaled"], ["layers.0.self_attn"]),
    ("llama", ["scores-scaled-twice"], []),
    ("llama", ["scores-by-width"], []),
    ("llama", ["mask-one-later"], []),
    ("llama", ["mask-transposed"], ["layers.0.self_attn.attn_weights"]),
    ("llama", ["gate-and-up"], ["layers.0.mlp.gate_proj", "layers.0.mlp.up_proj", "layers.0.mlp"]),
    ("llama", ["activation-relu"], []),
    ("llama", ["activation-linear"], []),
    ("llama", ["norm-centred"], ["layers.0.input_layernorm"]),
    ("llama", ["weights-of-attention.norm-in-feed_forward.norm"], []),
    ("llama", ["transposed-attention.query.weight"], []),
    ("llama", ["residual-twice-feed_forward"], ["layers.0.mlp", "layers.0", "layers.1"]),
    ("llama", ["norm-epsilon-1e-3"], []),
    ("gemma", ["norm-offset-missing"], ["model.embed_tokens", "layers.0.input_layernorm"]),
    ("gemma", ["embedding-unscaled"], []),
    ("gemma", ["embedding-unscaled"], ["model.embed_tokens", "layers.0"]),
    ("gemma", ["activation-silu"], []),
    ("gemma", ["rope-neighbours"], []),
    ("gemma", ["missing-final_norm"], ["layers.1"]),
    ("mixtral", ["router-not-normalised"], ["layers.0.router", "layers.0.mlp"]),
    ("mixtral", ["router-sigmoid"], []),
    ("mixtral", ["experts-1"], []),
    ("mixtral", ["experts-3"], ["layers.0.router", "layers.0.mlp"]),
    ("mixtral", ["gate-and-up"], []),
    ("mixtral", ["window-one-more"], []),
    ("mixtral", ["rope-neighbours"], ["layers.0.self_attn.q_rot"]),
    ("gpt2", ["missing-attention.norm"], []),
    ("gpt2", ["missing-feed_forward.norm"], ["h.0.attn.out", "h.0"]),
    ("gpt2", ["twice-final_norm"], []),
    ("gpt2", ["twice-final_norm"], ["h.1", "ln_f"]),
    ("gpt2", ["biases-missing"], ["h.0.attn.q"]),
    ("gpt2", ["positions-all-first"], []),
    ("gpt2", ["order-qvk"], ["h.0.attn.q", "h.0.attn.k", "h.0.attn.v"]),
    ("gpt2", ["logits-log-softmax"], ["h.1"]),
    ("gpt2", ["output-twice-feed_forward"], []),
    ("llama", ["logits-softmax"], []),
    ("llama", ["order-qvk"], []),
    ("llama", ["rope-exponent"], []),
    ("llama", ["rope-exponent-of-width"], ["layers.0.self_attn.q_rot"]),
    ("llama", ["rope-from-1"], ["layers.0.self_attn.q_rot", "layers.0.self_attn.k_rot", "layers.0.self_attn"]),
    ("llama", ["rope-not-on-queries"], []),
    ("llama", ["output-twice-attention"], ["layers.0.self_attn", "layers.0.post_attention_layernorm"]),
    ("gemma", ["scores-by-width"], []),
    ("gemma", ["scores-by-row"], []),
    ("mixtral", ["window-none"], ["layers.0.self_attn.attn_weights"]),
    ("mixtral", ["window-one-less"], []),
    ("mixtral", ["mask-transposed"], []),
    ("gpt2", ["missing-attention.qkv.bias"], ["h.0.attn.c_attn"]),
    ("gpt2", ["norm-epsilon-1e-4"], ["hidden_states.0", "hidden_states.1", "hidden_states.2"]),
    ("gpt2", ["dropout-on"], ["embed", "h.0.attn.out", "h.0.mlp"]),
    ("gpt2", ["mask-times-scores"], ["h.0.attn.c_attn"]),
    ("gpt2", ["order-kqv"], ["h.0.attn.c_attn", "h.0.attn.out"]),
    ("llama", ["cache-not-extended"], ["layers.0.self_attn.q_rot"]),
    ("llama", ["head-tied"], ["layers.1"]),
    # Two at once.
    ("mixtral", ["mask-one-later", "window-none"], []),
    ("llama", ["rope-neighbours", "kv-heads-in-turn"], ["layers.0.self_attn.q_proj", "layers.0.self_attn.q_rot",
                                                        "layers.0.self_attn.attn_weights"]),
    ("llama", ["scores-unscaled", "gate-and-up"], ["layers.0.self_attn", "layers.0.mlp"]),
    ("gpt2", ["activation-relu", "missing-final_norm"], []),
    ("gemma", ["norm-offset-missing", "embedding-unscaled"], []),
]
# Written behind the others, whose files stay as they are.
LATER = [
    ("llama", ["cache-position-first"], ["layers.0.self_attn", "layers.1"]),
    ("llama", ["cache-position-one-more"], []),
    ("llama", ["cache-position-one-less"], ["layers.0.self_attn.q_rot"]),
    ("gpt2", ["cache-position-first"], []),
    ("gpt2", ["cache-position-one-more"], ["embed", "h.0"]),
    ("gpt2", ["cache-position-one-less"], []),
    ("gpt_neox", ["cache-position-first"], []),
    ("gpt_neox", ["rope-all-columns"], []),
    ("gpt_neox", ["rope-all-columns"], ["layers.0.attention"]),
    ("gpt_neox", ["one-behind-the-other"], []),
    ("gpt_neox", ["one-behind-the-other"], ["layers.0.attention", "layers.0.mlp", "layers.0"]),
    ("gpt_neox", ["fused-in-blocks"], []),
    ("gpt_neox", ["fused-in-blocks"], ["layers.0.attention", "layers.1"]),
]
# Behind those.
NEWER = [
    ("gpt2", ["scores-by-tokens"], []),
    ("gpt2", ["mask-inverted"], []),
    ("gpt2", ["mask-inverted"], ["h.0.attn.attn_weights", "h.0.attn.out"]),
    ("gpt2", ["softmax-missing"], ["h.0"]),
    ("gpt2", ["layer-missing-0"], []),
    ("gpt2", ["layers-backwards"], []),
    ("gpt2", ["residual-of-layer"], ["h.0.attn.out", "h.0.mlp", "h.0"]),
    ("gpt2", ["logits-by-root"], ["ln_f"]),
    ("llama", ["rope-angles-crossed"], []),
    ("llama", ["rope-angles-crossed"], ["layers.0.self_attn.q_rot"]),
    ("llama", ["rope-without-minus"], ["layers.0.self_attn"]),
    ("llama", ["up-missing"], ["layers.0.mlp.gate_proj", "layers.0.mlp"]),
    ("llama", ["activation-of-product"], []),
    ("llama", ["activation-of-both"], ["layers.0.mlp.up_proj", "layers.0.mlp"]),
    ("llama", ["unnormed-attention.values"], []),
    ("mixtral", ["router-worst"], []),
    ("mixtral", ["router-alike"], ["layers.0.router", "layers.0.mlp"]),
]
# And behind those.
NEWEST = [
    ("gpt2", ["softmax-over-heads"], []),
    ("gpt2", ["softmax-twice"], ["h.0.attn.attn_weights", "h.0.attn.out"]),
    ("gpt2", ["weights-transposed"], ["h.0.attn.attn_weights"]),
    ("gpt2", ["scale-after-softmax"], ["h.0.attn.attn_weights", "h.0.attn.out"]),
    ("gpt2", ["mask-ones-for-seen"], []),
    ("gpt2", ["mask-ones-for-masked"], ["h.0.attn.out"]),
    ("gpt2", ["positions-backwards"], ["h.1"]),
    ("gpt2", ["layer-missing"], []),
    ("gpt2", ["norm-weight-and-bias"], []),
    ("gpt2", ["norm-unrooted"], ["h.0.ln_1"]),
    ("gpt2", ["norm-mean-kept"], []),
    ("gpt2", ["norm-over-all"], []),
    ("gpt2", ["keys-by-queries"], ["h.0.attn.k", "h.0.attn.out"]),
    ("gpt2", ["values-by-keys"], []),
    ("gpt2", ["heads-2"], []),
    ("gpt2", ["heads-8"], ["h.0.attn.out"]),
    ("gpt2", ["heads-split-by-columns"], []),
    ("gpt2", ["heads-joined-by-columns"], ["h.0.attn.q", "h.0.attn.out"]),
    ("gpt2", ["heads-by-columns"], []),
    ("gpt2", ["activation-behind"], ["h.0.mlp"]),
    ("llama", ["activation-behind"], []),
    ("llama", ["weights-transposed"], []),
    ("llama", ["rope-by-head"], ["layers.0.self_attn.q_rot"]),
    ("llama", ["rope-twice"], []),
    ("llama", ["rope-sines-exchanged"], ["layers.0.self_attn.q_rot"]),
    ("llama", ["norm-over-all"], []),
    ("llama", ["norm-mean-kept"], ["layers.0.input_layernorm"]),
    ("llama", ["residual-of-normed-attention"], ["layers.0"]),
    ("mixtral", ["softmax-over-heads"], ["layers.0.self_attn"]),
    ("mixtral", ["router-raw"], ["layers.0.router", "layers.0.mlp"]),
    ("mixtral", ["router-over-tokens"], []),
    ("gpt2", ["heads-1"], ["h.0.attn.out"]),
    ("gpt2", ["keys-reshaped"], []),
    ("llama", ["keys-reshaped"], ["layers.0.self_attn.k_rot", "layers.0.self_attn"]),
]
LATEST = [
    ("gpt2", ["layers-alike-last"], []),
    ("gpt2", ["attention-alike-last"], []),
    ("gpt2", ["feed_forward-alike"], ["h.0.attn.out", "h.0"]),
    ("gpt2", ["layers-each-twice"], []),
    ("gpt2", ["untrained-final_norm"], ["h.1"]),
    ("gpt2", ["norms-untrained"], []),
    ("gpt2", ["norm-bias-inside"], []),
    ("gpt2", ["final-norm-in-layers"], []),
    ("gpt2", ["positions-in-layers"], []),
    ("gpt2", ["positions-waves"], []),
    ("gpt2", ["positions-scaled"], ["h.0"]),
    ("gpt2", ["activation-again"], ["h.0.mlp"]),
    ("gpt2", ["activation-first"], []),
    ("gpt2", ["feed-forward-of-attention"], ["h.0.attn.out", "h.0"]),
    ("gpt2", ["keys-of-queries"], []),
    ("gpt2", ["value-projection-missing"], []),
    ("gpt2", ["attention-between-heads"], ["h.0.attn.q", "h.0.attn.out"]),
    ("llama", ["attention-between-heads"], []),
    ("llama", ["kv-heads-first"], ["layers.0.self_attn.q_rot", "layers.0.self_attn"]),
    ("llama", ["values-are-keys"], []),
    ("llama", ["rope-exponent-twice"], ["layers.0.self_attn.q_rot"]),
    ("llama", ["rope-half-of-columns"], []),
    ("llama", ["norm-multiplied"], []),
    ("llama", ["gate-added"], ["layers.0.mlp"]),
    ("mixtral", ["experts-last"], []),
    ("mixtral", ["experts-last-chosen"], ["layers.0.router", "layers.0.mlp"]),
    ("gpt_neox", ["residual-missing"], ["layers.0.attention", "layers.0"]),
    ("gpt_neox", ["attention-missing"], []),
    ("gpt2", ["values-of-keys"], ["h.0.attn.k", "h.0.attn.out"]),
    ("gpt2", ["layers-twice"], []),
    ("gpt2", ["layer-twice-first"], []),
    ("gpt2", ["final-norm-before-layers"], []),
    ("llama", ["feed-forward-first"], ["layers.0"]),
    ("mixtral", ["feed-forward-first"], []),
    ("llama", ["scores-by-kv-row"], []),
    ("gpt_neox", ["rope-last-columns"], ["layers.0.attention"]),
]
FRESH = [
    ("gpt2", ["scores-by-half"], []),
    ("gpt2", ["scores-of-length-1"], ["h.0.attn.q", "h.0.attn.out"]),
    ("gpt2", ["query-heads-first"], ["h.0.attn.out"]),
    ("gpt2", ["sum-halved-attention"], ["h.0.attn.out", "h.0"]),
    ("gpt2", ["sum-by-root-2-feed_forward"], []),
    ("gpt2", ["norms-twice"], []),
    ("gpt2", ["biases-twice"], ["h.0.attn.c_attn"]),
    ("gpt2", ["embedding-of-length-1"], []),
    ("gpt2", ["positions-from-2"], []),
    ("gpt2", ["values-split-without-transpose"], ["h.0.attn.out"]),
    ("gpt2", ["mask-score-10"], ["h.0.attn.out"]),
    ("gpt2", ["logits-sigmoid"], ["ln_f"]),
    ("llama", ["order-kvq"], []),
    ("gpt_neox", ["residual-of-normed"], ["layers.0.attention", "layers.0"]),
    ("llama", ["scores-by-double"], []),
    ("llama", ["value-heads-in-turn"], ["layers.0.self_attn.attn_weights", "layers.0.self_attn"]),
    ("llama", ["gate-by-up"], []),
    ("llama", ["gate-up-in-turn"], ["layers.0.mlp"]),
    ("llama", ["embedding-tied"], []),
    ("llama", ["fused-by-head"], []),
    ("llama", ["rope-twice-on-keys"], ["layers.0.self_attn.q_rot", "layers.0.self_attn.k_rot"]),
    ("mixtral", ["experts-from-1"], ["layers.0.router", "layers.0.mlp"]),
]
# What no row of the table says: nothing may be accused.
UNKNOWN = [
    ("gpt2", ["unknown-temperature"], []),
    ("gpt2", ["unknown-epsilon"], ["hidden_states.1"]),
    ("gpt2", ["unknown-residual-share"], ["h.0.attn.out", "h.0"]),
    ("llama", ["unknown-temperature"], ["layers.0.self_attn.q_rot", "layers.0.self_attn.attn_weights"]),
    ("llama", ["unknown-clamp"], []),
    ("gemma", ["unknown-residual-share"], []),
    ("mixtral", ["unknown-temperature"], []),
]
RIGHT = {
    "gpt2": ["drop", "embed", "hidden_states.2", "h.0.attn.c_attn", "h.0.ln_1", "h.0.attn.q", "h.0.attn.attn_weights", "h.0.mlp", "h.1", "ln_f"],
    "llama": ["layers.0.self_attn.q_rot", "layers.0.self_attn.attn_weights", "layers.1.mlp", "layers.1"],
    "gemma": ["model.embed_tokens", "layers.0.self_attn.q_rot", "layers.1"],
    "mixtral": ["layers.0.router", "layers.0.mlp", "layers.1"],
}


def main(out, first):
    torch.manual_seed(first)
    out.mkdir(parents=True, exist_ok=True)
    weights, cases = {}, []
    for family in FAMILIES:
        for seed in (first, first + 1):
            folder = out / f"{family.name}-{seed}"
            folder.mkdir(exist_ok=True)
            weights[family.name, seed] = family.weights(seed)
            (folder / "config.json").write_text(json.dumps(family.config(), indent=1) + "\n")
            save_file({name: tensor.bfloat16() for name, tensor in weights[family.name, seed].items()},
                      folder / "model.safetensors")

    def write(name, family, seed, bugs, besides, precision=torch.float32):
        of = next(each for each in FAMILIES if each.name == family)
        numbers = weights[family, seed]
        made = of(numbers, bugs) if precision == torch.float32 else of({k: v.to(precision) for k, v in numbers.items()})
        made.forward(torch.tensor(IDS))
        tensors = {each: made.seen[each].float().contiguous() for each in [*besides, "logits"]}
        # One in three has a batch of 1, as a model that is trained has.
        if len(cases) % 3 == 0:
            tensors = {each: tensor[None] for each, tensor in tensors.items()}
        save_file(tensors, out / f"{name}.safetensors")
        cases.append({"case": name, "model": f"{family}-{seed}", "planted": [each for each in sorted(bugs) if not each.startswith("unknown")],
                      "right": not bugs,
                      "rounded": precision != torch.float32})

    with torch.no_grad():
        for family, bugs, besides in CASES + UNKNOWN:
            write("-".join([family, *bugs, *(["seen"] if besides else [])]), family, first, bugs, besides)
        for family, besides in RIGHT.items():
            for seed in (first, first + 1):
                write(f"{family}-right-{seed}", family, seed, [], besides)
            write(f"{family}-bf16", family, first, [], besides, torch.bfloat16)
        for family, bugs, besides in LATER:
            write("-".join([family, *bugs, *(["seen"] if besides else [])]), family, first, bugs, besides)
        for seed in (first, first + 1):
            write(f"gpt_neox-right-{seed}", "gpt_neox", seed, [], ["layers.0.attention", "layers.1"])
        for family, bugs, besides in NEWER + NEWEST + LATEST + FRESH:
            write("-".join([family, *bugs, *(["seen"] if besides else [])]), family, first, bugs, besides)
    (out / "cases.json").write_text(json.dumps({"ids": IDS, "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
