// What tensors' names and shapes say of a model. Names of different families do not clash, so that one list serves all.
#include "core/checkpoints/model_facts.hpp"

#include <algorithm>
#include <charconv>

#include "core/base/checked.hpp"

namespace headcount {

namespace {

// What the layers are called, longest first; a text model inside a multimodal one has a prefix before that.
constexpr std::string_view layer_paths[] = {"model.decoder.layers.",
                                            "backbone.layers.",
                                            "encoder.layers.",
                                            "encoder.layer.",
                                            "decoder.block.",
                                            "encoder.block.",
                                            "transformer.blocks.",
                                            "transformer.layer.",
                                            "gpt_neox.layers.",
                                            "transformer.h.",
                                            "model.layers.",
                                            "rwkv.blocks.",
                                            "layers.",
                                            "h."};
constexpr std::string_view prefixes[] = {"language_model.", "model.language_model.", "model.text_model."};
constexpr std::int64_t most = 99999;  // layers, and experts

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < 0 || value > most) return std::nullopt;
    return value;
}

std::string without_prefix(std::string_view name) {
    for (const std::string_view prefix : prefixes)
        if (name.starts_with(prefix)) {
            name.remove_prefix(prefix.size());
            return name.starts_with("model.") || name.starts_with("lm_head") ? std::string(name)
                                                                             : "model." + std::string(name);
        }
    return std::string(name);
}

}  // namespace

void TensorShapes::add(std::string_view full_name, const Shape& shape) {
    std::string name = without_prefix(full_name);
    std::optional<std::int64_t> layer;
    for (const std::string_view path : layer_paths) {
        if (!name.starts_with(path)) continue;
        const std::size_t dot = name.find('.', path.size());
        if (dot == name.npos) break;
        layer = number(std::string_view(name).substr(path.size(), dot - path.size()));
        if (layer) name = "*" + name.substr(dot);
        break;
    }
    for (std::size_t dot = layer ? name.find('.') : name.npos; dot != name.npos; dot = name.find('.', dot + 1)) {
        const std::size_t end = name.find('.', dot + 1);
        if (end == name.npos) break;
        if (!number(std::string_view(name).substr(dot + 1, end - dot - 1))) continue;
        name.replace(dot + 1, end - dot - 1, "{e}");
        break;
    }
    if (const std::size_t head = name.find("{h}"); head != name.npos) name[head + 1] = 'e';
    Entry& entry = entries_.try_emplace(std::move(name), Entry{shape, {}}).first->second;
    if (!layer) return;
    entry.layers.insert(*layer);
    layers_ = std::max(layers_, *layer + 1);
}

const TensorShapes::Shape* TensorShapes::find(Names names) const {
    for (const std::string_view name : names)
        if (const auto found = entries_.find(name); found != entries_.end()) return &found->second.shape;
    return nullptr;
}

std::set<std::int64_t> TensorShapes::layers_with(Names names) const {
    std::set<std::int64_t> layers;
    for (const std::string_view name : names)
        if (const auto found = entries_.find(name); found != entries_.end())
            layers.insert(found->second.layers.begin(), found->second.layers.end());
    return layers;
}

namespace {

using Shape = TensorShapes::Shape;

// How often the width goes into a matrix: its other side, whichever way it is stored.
Number other_side(const Shape* shape, const Number& width) {
    if (!shape || !width || *width < 1) return std::nullopt;
    const Number elements = checked_product(*shape);
    return elements && *elements % *width == 0 ? Number(*elements / *width) : std::nullopt;
}

Number first_side(const Shape* shape) { return shape && !shape->empty() ? Number(shape->front()) : std::nullopt; }

void add_attention(ModelFacts& facts, const TensorShapes& tensors) {
    facts.query_norm = tensors.has({"*.self_attn.q_norm.weight", "*.self_attn.q_layernorm.weight",
                                    "*.self_attn.q_layernorm.norms.{e}.weight", "*.attn.q_ln.weight"});
    facts.query_bias =
        tensors.has({"*.self_attn.q_proj.bias", "*.self_attn.qkv_proj.bias", "*.self_attn.kv_a_proj_with_mqa.bias",
                     "*.attn.c_attn.bias", "*.self_attention.query_key_value.bias", "*.attention.query_key_value.bias",
                     "*.attn.Wqkv.bias"});
    facts.output_bias = tensors.has({"*.self_attn.o_proj.bias"});
    facts.query_rank = first_side(tensors.find({"*.self_attn.q_a_layernorm.weight"}));
    facts.latent_rank = first_side(tensors.find({"*.self_attn.kv_a_layernorm.weight"}));
    if (facts.latent_rank)
        if (const Number rows = first_side(tensors.find({"*.self_attn.kv_a_proj_with_mqa.weight"})))
            facts.rope_dim = *rows - *facts.latent_rank;
}

void add_feed_forward(ModelFacts& facts, const TensorShapes& tensors) {
    facts.ffn_bias = tensors.has({"*.mlp.up_proj.bias", "*.mlp.c_fc.bias", "*.mlp.fc1.bias", "*.fc1.bias",
                                  "*.mlp.dense_h_to_4h.bias", "*.ffn.up_proj.bias", "*.mlp.fc_in.bias"});
    const TensorShapes::Names dense = {"*.mlp.down_proj.weight",
                                       "*.mlp.c_proj.weight",
                                       "*.mlp.fc_out.weight",
                                       "*.mlp.fc2.weight",
                                       "*.fc2.weight",
                                       "*.mlp.dense_4h_to_h.weight",
                                       "*.ffn.down_proj.weight",
                                       "*.feed_forward.down_proj.weight",
                                       "*.feed_forward.w2.weight"};
    facts.ffn_dim = other_side(tensors.find(dense), facts.width);

    facts.experts = first_side(
        tensors.find({"*.mlp.gate.weight", "*.mlp.gate.wg.weight", "*.mlp.router.gate.weight",
                      "*.block_sparse_moe.gate.weight", "*.mlp.router.weight", "*.feed_forward.router.weight",
                      "*.block_sparse_moe.router.layer.weight", "*.block_sparse_moe.router.weight"}));
    if (!facts.experts) return;
    facts.expert_dim = other_side(
        tensors.find({"*.mlp.experts.{e}.down_proj.weight", "*.block_sparse_moe.experts.{e}.w2.weight"}), facts.width);
    const Number all = other_side(tensors.find({"*.mlp.experts.down_proj", "*.feed_forward.experts.down_proj",
                                                "*.block_sparse_moe.output_linear.weight"}),
                                  facts.width);
    if (all && *facts.experts > 0 && *all % *facts.experts == 0) facts.expert_dim = *all / *facts.experts;
    // Biases are never quantized: they tell what blocks of four-bit numbers (MXFP4) do not.
    const Shape* both = tensors.find({"*.mlp.experts.gate_up_proj_bias"});
    if (!facts.expert_dim && both && both->size() == 2 && both->back() % 2 == 0) facts.expert_dim = both->back() / 2;
    facts.shared_dim =
        other_side(tensors.find({"*.mlp.shared_experts.down_proj.weight", "*.mlp.shared_expert.down_proj.weight",
                                 "*.mlp.shared_mlp.down_proj.weight", "*.shared_mlp.output_linear.weight",
                                 "*.feed_forward.shared_expert.down_proj.weight"}),
                   facts.width);
    facts.dense_layers = tensors.layers_with(dense);
}

}  // namespace

void add_tensor_facts(ModelFacts& facts, const TensorShapes& tensors) {
    if (tensors.empty()) return;
    const Shape* words =
        tensors.find({"model.embed_tokens.weight", "embed_tokens.weight", "transformer.wte.weight", "wte.weight",
                      "transformer.word_embeddings.weight", "word_embeddings.weight", "gpt_neox.embed_in.weight",
                      "model.decoder.embed_tokens.weight", "tok_embeddings.weight"});
    if (words && words->size() == 2) {
        facts.vocab = words->front();
        facts.width = words->back();
        facts.tied = !tensors.has({"lm_head.weight", "embed_out.weight", "output.weight"});
    }
    // OPT 350M: the embedding is narrower than the residual stream.
    if (const Number wide = first_side(tensors.find({"model.decoder.project_in.weight"}))) {
        facts.embedding_width = facts.width;
        facts.width = wide;
    }
    facts.final_norm = tensors.has({"model.decoder.final_layer_norm.weight"});
    facts.head_bias = tensors.has({"lm_head.bias"});
    if (tensors.layers() > 0) facts.layers = tensors.layers();
    const Shape* positions =
        tensors.find({"transformer.wpe.weight", "wpe.weight", "model.decoder.embed_positions.weight"});
    facts.learned_positions = positions != nullptr;
    if (const Number rows = first_side(positions)) facts.context = *rows - (facts.type == "opt" ? 2 : 0);
    facts.two_norms = tensors.has({"*.ln_attn.weight"});
    facts.second_norm = tensors.has(
        {"*.post_attention_layernorm.weight", "*.ln_2.weight", "*.norm_2.weight", "*.final_layer_norm.weight"});
    add_attention(facts, tensors);
    add_feed_forward(facts, tensors);
}

void assume_tying(ModelFacts& facts) {
    for (const char* type : {"gpt2", "gpt_bigcode", "bloom", "falcon", "mpt", "opt", "gemma", "gemma2", "gemma3_text",
                             "cohere", "cohere2"})
        if (facts.type == type && !facts.tied) {
            facts.tied = true;
            facts.guesses.emplace_back(
                "the output head in the file is taken for a copy of the embedding, as this type has it");
        }
}

void say_assumed_experts(ModelFacts& facts) {
    if (facts.experts.value_or(0) < 1 || facts.expert_dim) return;
    facts.guesses.emplace_back(
        "the width of the experts is a guess: the file does not say it, so it is what models of this type mostly have");
}

}  // namespace headcount
