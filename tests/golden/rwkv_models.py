#!/usr/bin/env python3
# RWKV-6 and RWKV-7, which transformers has no models of, as plain as their papers say them.
"""Registers both with transformers, so that the other scripts here build, save and run them as they do its own.

RWKV-6 (Peng et al. 2024, arXiv:2404.05892) has the names and fields of RWKV/v6-Finch-1B6-HF, RWKV-7 (Peng et al. 2025,
arXiv:2503.14456) those of flash-linear-attention (fla-hub/rwkv7-1.5B-world). States are passed token by token.
"""
import torch
import transformers
from torch import nn
from torch.nn import functional as F
from transformers.modeling_outputs import CausalLMOutput


def parameter(*shape):
    return nn.Parameter(torch.zeros(*shape))


def linear(inputs, outputs, bias=False):
    return nn.Linear(inputs, outputs, bias=bias)


def before(x):
    """The row before each; nothing before the first. (B, T, d)"""
    return F.pad(x, (0, 0, 1, -1))


class Rwkv6Config(transformers.PretrainedConfig):
    model_type = "rwkv6"

    def __init__(self, vocab_size=65536, hidden_size=4096, num_hidden_layers=32, attention_hidden_size=None, head_size=64,
                 head_size_divisor=8, intermediate_size=None, layer_norm_epsilon=1e-5, rescale_every=6,
                 context_length=4096, tie_word_embeddings=False, **rest):
        self.vocab_size, self.hidden_size, self.num_hidden_layers = vocab_size, hidden_size, num_hidden_layers
        self.attention_hidden_size = attention_hidden_size or hidden_size
        self.head_size, self.head_size_divisor = head_size, head_size_divisor
        self.intermediate_size = intermediate_size or int((hidden_size * 3.5) // 32 * 32)
        self.layer_norm_epsilon, self.rescale_every = layer_norm_epsilon, rescale_every
        self.context_length = context_length
        super().__init__(tie_word_embeddings=tie_word_embeddings, **rest)


class Rwkv6SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, self.head = config.hidden_size, config.head_size
        mix, decay = (64, 128) if width == 4096 else (32, 64)
        for letter in "xwkvrg":
            self.register_parameter(f"time_maa_{letter}", parameter(1, 1, width))
        self.time_maa_w1, self.time_maa_w2 = parameter(width, 5 * mix), parameter(5, mix, width)
        self.time_decay = parameter(1, 1, width)
        self.time_decay_w1, self.time_decay_w2 = parameter(width, decay), parameter(decay, width)
        self.time_faaaa = parameter(width // self.head, self.head)
        for name in ("receptance", "key", "value", "output", "gate"):
            self.add_module(name, linear(width, width))
        self.ln_x = nn.GroupNorm(width // self.head, width, eps=1e-5 * config.head_size_divisor**2)

    def forward(self, x):
        less = before(x) - x
        low = torch.tanh((x + less * self.time_maa_x) @ self.time_maa_w1).unflatten(-1, (5, -1))
        made = torch.einsum("btnr,nrd->nbtd", low, self.time_maa_w2)
        w, k, v, r, g = (x + less * (getattr(self, f"time_maa_{letter}") + share) for letter, share in zip("wkvrg", made))
        w = torch.exp(-torch.exp(self.time_decay + torch.tanh(w @ self.time_decay_w1) @ self.time_decay_w2))
        heads = lambda rows: rows.unflatten(-1, (-1, self.head))  # noqa: E731
        r, k, v, w = heads(self.receptance(r)), heads(self.key(k)), heads(self.value(v)), heads(w)
        state, read = torch.zeros(*r.shape[:1], *r.shape[2:], self.head), []
        for t in range(x.shape[1]):
            added = k[:, t, :, :, None] * v[:, t, :, None, :]
            read.append(torch.einsum("bhn,bhnd->bhd", r[:, t], state + self.time_faaaa[..., None] * added))
            state = w[:, t, :, :, None] * state + added
        y = self.ln_x(torch.stack(read, 1).flatten(2).flatten(0, 1)).view_as(x)
        return self.output(y * F.silu(self.gate(g)))


class Rwkv6FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        self.time_maa_k, self.time_maa_r = parameter(1, 1, width), parameter(1, 1, width)
        self.key, self.receptance = linear(width, config.intermediate_size), linear(width, width)
        self.value = linear(config.intermediate_size, width)

    def forward(self, x):
        less = before(x) - x
        made = self.value(torch.relu(self.key(x + less * self.time_maa_k)) ** 2)
        return torch.sigmoid(self.receptance(x + less * self.time_maa_r)) * made


class Rwkv6Block(nn.Module):
    def __init__(self, config, layer):
        super().__init__()
        norm = lambda: nn.LayerNorm(config.hidden_size, eps=config.layer_norm_epsilon)  # noqa: E731
        if layer == 0:
            self.pre_ln = norm()
        self.ln1, self.ln2 = norm(), norm()
        self.attention, self.feed_forward = Rwkv6SelfAttention(config), Rwkv6FeedForward(config)

    def forward(self, x):
        if hasattr(self, "pre_ln"):
            x = self.pre_ln(x)
        x = x + self.attention(self.ln1(x))
        return x + self.feed_forward(self.ln2(x))


class Rwkv6Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.blocks = nn.ModuleList([Rwkv6Block(config, layer) for layer in range(config.num_hidden_layers)])
        self.ln_out = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_epsilon)

    def forward(self, ids):
        x = self.embeddings(ids)
        for block in self.blocks:
            x = block(x)
        return self.ln_out(x)


class Rwkv6ForCausalLM(transformers.PreTrainedModel):
    config_class, base_model_prefix = Rwkv6Config, "rwkv"
    _tied_weights_keys = {"head.weight": "rwkv.embeddings.weight"}

    def __init__(self, config):
        super().__init__(config)
        self.rwkv, self.head = Rwkv6Model(config), linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def get_input_embeddings(self):
        return self.rwkv.embeddings

    def get_output_embeddings(self):
        return self.head

    def _init_weights(self, module):
        pass

    def forward(self, input_ids):
        return CausalLMOutput(logits=self.head(self.rwkv(input_ids)))


class RWKV7Config(transformers.PretrainedConfig):
    model_type = "rwkv7"

    def __init__(self, hidden_size=2048, hidden_ratio=4, intermediate_size=None, num_hidden_layers=24, head_dim=64,
                 decay_low_rank_dim=64, gate_low_rank_dim=128, a_low_rank_dim=64, v_low_rank_dim=16,
                 hidden_act="sqrelu", max_position_embeddings=2048, norm_first=True, norm_bias=True, norm_eps=1e-5,
                 tie_word_embeddings=False, vocab_size=32000, value_dim=None, **rest):
        self.hidden_size, self.num_hidden_layers, self.vocab_size = hidden_size, num_hidden_layers, vocab_size
        self.hidden_ratio = hidden_ratio
        self.intermediate_size = intermediate_size or 32 * ((int(hidden_size * hidden_ratio) + 31) // 32)
        self.head_dim, self.value_dim = head_dim, value_dim or [hidden_size] * num_hidden_layers
        self.decay_low_rank_dim, self.gate_low_rank_dim = decay_low_rank_dim, gate_low_rank_dim
        self.a_low_rank_dim, self.v_low_rank_dim = a_low_rank_dim, v_low_rank_dim
        self.hidden_act, self.max_position_embeddings = hidden_act, max_position_embeddings
        self.norm_first, self.norm_bias, self.norm_eps = norm_first, norm_bias, norm_eps
        super().__init__(tie_word_embeddings=tie_word_embeddings, **rest)


class LoRA(nn.Module):
    def __init__(self, width, rank, activation, bias=True):
        super().__init__()
        self.lora = nn.Sequential(linear(width, rank), activation, linear(rank, width, bias))

    def forward(self, x):
        return self.lora(x)


class RWKV7Attention(nn.Module):
    def __init__(self, config, layer):
        super().__init__()
        width, self.head, self.layer = config.hidden_size, config.head_dim, layer
        for letter in "rwkvag":
            self.register_parameter(f"x_{letter}", parameter(1, 1, width))
        self.k_k, self.k_a, self.r_k = parameter(width), parameter(width), parameter(width // self.head, self.head)
        for name in ("r_proj", "k_proj", "v_proj", "o_proj"):
            self.add_module(name, linear(width, width))
        self.w_lora = LoRA(width, config.decay_low_rank_dim, nn.Tanh())
        if layer:
            self.v_lora = LoRA(width, config.v_low_rank_dim, nn.Identity())
        self.a_lora = LoRA(width, config.a_low_rank_dim, nn.Identity())
        self.g_lora = LoRA(width, config.gate_low_rank_dim, nn.Sigmoid(), bias=False)
        self.g_norm = nn.GroupNorm(width // self.head, width, eps=self.head * config.norm_eps)

    def forward(self, x, first):
        less = before(x) - x
        r, w, k, v, a, g = (x + less * getattr(self, f"x_{letter}") for letter in "rwkvag")
        r, k, values = self.r_proj(r), self.k_proj(k), self.v_proj(v)
        w = torch.exp(-torch.exp(torch.tensor(-0.5)) * torch.sigmoid(self.w_lora(w)))
        first = values if self.layer == 0 else first
        v = values if self.layer == 0 else torch.lerp(values, first, torch.sigmoid(self.v_lora(v)))
        a, g = torch.sigmoid(self.a_lora(a)), self.g_lora(g)
        heads = lambda rows: rows.unflatten(-1, (-1, self.head))  # noqa: E731
        erased = F.normalize(heads(k * self.k_k), dim=-1)
        k = k * (1 + (a - 1) * self.k_a)
        r, w, k, v, a = map(heads, (r, w, k, v, a))
        state, read = torch.zeros(*r.shape[:1], *r.shape[2:], self.head), []
        for t in range(x.shape[1]):
            found = torch.einsum("bhn,bhnd->bhd", erased[:, t], state)
            state = (w[:, t, :, :, None] * state - (erased * a)[:, t, :, :, None] * found[:, :, None, :]
                     + k[:, t, :, :, None] * v[:, t, :, None, :])
            read.append(torch.einsum("bhn,bhnd->bhd", r[:, t], state))
        y = self.g_norm(torch.stack(read, 1).flatten(2).flatten(0, 1)).view_as(x)
        y = y + ((r * k * self.r_k).sum(-1, keepdim=True) * v).flatten(2)
        return self.o_proj(y * g), first


class RWKV7FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.x_k = parameter(config.hidden_size)
        self.key = linear(config.hidden_size, config.intermediate_size)
        self.value = linear(config.intermediate_size, config.hidden_size)

    def forward(self, x):
        return self.value(torch.relu(self.key(x + (before(x) - x) * self.x_k)) ** 2)


class RWKV7Block(nn.Module):
    def __init__(self, config, layer):
        super().__init__()
        norm = lambda: nn.LayerNorm(config.hidden_size, eps=config.norm_eps, bias=config.norm_bias)  # noqa: E731
        if layer == 0 and config.norm_first:
            self.pre_norm = norm()
        self.attn_norm, self.attn = norm(), RWKV7Attention(config, layer)
        self.ffn_norm, self.ffn = norm(), RWKV7FeedForward(config)

    def forward(self, x, first):
        if hasattr(self, "pre_norm"):
            x = self.pre_norm(x)
        made, first = self.attn(self.attn_norm(x), first)
        x = x + made
        return x + self.ffn(self.ffn_norm(x)), first


class RWKV7Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList([RWKV7Block(config, layer) for layer in range(config.num_hidden_layers)])
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.norm_eps, bias=config.norm_bias)

    def forward(self, ids):
        x, first = self.embeddings(ids), None
        for layer in self.layers:
            x, first = layer(x, first)
        return self.norm(x)


class RWKV7ForCausalLM(transformers.PreTrainedModel):
    config_class, base_model_prefix = RWKV7Config, "model"
    _tied_weights_keys = {"lm_head.weight": "model.embeddings.weight"}

    def __init__(self, config):
        super().__init__(config)
        self.model, self.lm_head = RWKV7Model(config), linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def get_input_embeddings(self):
        return self.model.embeddings

    def get_output_embeddings(self):
        return self.lm_head

    def _init_weights(self, module):
        pass

    def forward(self, input_ids):
        return CausalLMOutput(logits=self.lm_head(self.model(input_ids)))


for config, model in ((Rwkv6Config, Rwkv6ForCausalLM), (RWKV7Config, RWKV7ForCausalLM)):
    transformers.AutoConfig.register(config.model_type, config)
    transformers.AutoModelForCausalLM.register(config, model)
