// GGUF metadata as the config.json of models whose layers are not all attention and a feed-forward, and of encoders
// (llama.cpp, conversion/mamba.py, granite.py, nemotron.py, lfm2.py, qwen.py, kimi_linear.py, bert.py, t5.py). Which
// layers are what, the tensors tell.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/checkpoints/gguf_keys.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using Names = TensorShapes::Names;

Error not_said(std::string what) {
    return {"the file does not say " + std::move(what), "", "open the model's config.json instead"};
}

class Hybrid {
  public:
    Hybrid(GgufKeys& keys, const TensorShapes& tensors) : keys_(keys), tensors_(tensors) {}

    void type(std::string_view name) { config_["model_type"] = name; }
    // What the file says under the first name, under the second; what it does not say is left out.
    void number(const char* key, const char* field) { put(field, keys_.number(key)); }
    void real(const char* key, const char* field) { put(field, keys_.real(key)); }
    void flag(const char* key, const char* field) { put(field, keys_.flag(key)); }
    // Of norms: newer files say the second.
    void epsilon(const char* field) {
        real("attention.layer_norm_epsilon", field);
        real("attention.layer_norm_rms_epsilon", field);
    }
    // Whether there is such a tensor.
    void has(Names names, const char* field) { config_[field] = tensors_.has(names); }
    template <class Value>
    void put(const char* field, const std::optional<Value>& value) {
        if (value) config_[field] = *value;
    }
    json& operator[](const char* field) { return config_[field]; }

    // Rows, or columns, of a matrix.
    Number side(Names names, bool first = true) const {
        const TensorShapes::Shape* const shape = tensors_.find(names);
        if (!shape || shape->empty()) return std::nullopt;
        return first ? shape->front() : shape->back();
    }
    Number key(const char* name) { return keys_.number(name); }
    Number layers(const char* name) { return keys_.layers(name); }
    bool says(const char* name) { return keys_.flag(name).value_or(false); }
    bool there(Names names) const { return tensors_.has(names); }

    // One word a layer: the first pair one of whose tensors it has; the last pair's where it has none.
    void layers_called(const char* field, std::initializer_list<std::pair<const char*, const char*>> words) {
        json all = json::array();
        for (std::int64_t layer = 0; layer < tensors_.layers(); ++layer) {
            const auto* word = words.begin();
            for (; word + 1 != words.end(); ++word)
                if (tensors_.layers_with({word->first}).contains(layer)) break;
            all.push_back(word->second);
        }
        config_[field] = std::move(all);
    }
    // Where those with such a tensor come every so many layers: how many, and which is the first.
    void layers_by_period(Names names, const char* period, const char* offset) {
        const std::set<std::int64_t> with = tensors_.layers_with(names);
        const std::int64_t layers = tensors_.layers();
        const std::int64_t first = with.empty() ? layers : *with.begin();
        const std::int64_t step = with.size() > 1 ? *std::next(with.begin()) - first : std::max(layers, first + 1);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            if (with.contains(layer) != (layer >= first && (layer - first) % step == 0))
                fail(not_said("every how many layers one has attention or experts"));
        config_[period] = step;
        config_[offset] = first;
    }

    // What all have.
    void sizes(Names embedding, Names head) {
        config_["vocab_size"] = side(embedding).value_or(keys_.tokens().value_or(0));
        put("hidden_size", side(embedding, false) ? side(embedding, false) : keys_.number("embedding_length"));
        config_["num_hidden_layers"] = tensors_.layers();
        config_["tie_word_embeddings"] = !tensors_.has(head);
        if (tensors_.layers() == 0) fail(not_said("how many layers the model has"));
        if (!tensors_.has(embedding)) fail(not_said("how many words the vocabulary has"));
    }
    // Attention of some layers: as many key/value heads as their rows hold.
    void attention(Names query, Names key, std::int64_t parts_of_query = 1) {
        const Number heads = keys_.number("attention.head_count"), rows = side(query);
        put("num_attention_heads", heads);
        Number width = keys_.number("attention.key_length");
        if (!width && heads.value_or(0) > 0 && rows) width = *rows / parts_of_query / *heads;
        put("head_dim", width);
        if (const Number keys = side(key); keys && width.value_or(0) > 0)
            config_["num_key_value_heads"] = *keys / *width;
        real("rope.freq_base", "rope_theta");
        number("context_length", "max_position_embeddings");
    }
    // Mamba-2's heads, by the names that the type has for them.
    struct StateNames {
        const char *heads, *head_dim, *groups, *state, *kernel;
    };
    void states(const StateNames& names) {
        const Number heads = keys_.number("ssm.time_step_rank"), width = keys_.number("ssm.inner_size");
        if (heads.value_or(0) < 1 || !width) return fail(not_said("how many heads have a state"));
        if (*width % *heads != 0)
            return fail({std::to_string(*width) + " columns of states are no whole number for each of " +
                             std::to_string(*heads) + " heads",
                         "ssm.inner_size", "open the model's config.json instead"});
        config_[names.heads] = *heads;
        config_[names.head_dim] = *width / *heads;
        number("ssm.group_count", names.groups);
        number("ssm.state_size", names.state);
        number("ssm.conv_kernel", names.kernel);
    }
    // How often the width goes into the states'.
    void expand(const char* field) {
        const Number width = keys_.number("ssm.inner_size"), own = keys_.number("embedding_length");
        if (width && own.value_or(0) > 0 && *width % *own == 0) config_[field] = *width / *own;
    }
    void mixture(const char* experts) {
        number("expert_count", experts);
        number("expert_used_count", "num_experts_per_tok");
        real("expert_weights_scale", "routed_scaling_factor");
        flag("expert_weights_norm", "norm_topk_prob");
    }

    void fail(Error error) {
        if (!error_) error_ = std::move(error);
    }
    Result<json> take() {
        if (keys_.error()) return *keys_.error();
        if (error_) return *std::move(error_);
        return std::move(config_);
    }

  private:
    GgufKeys& keys_;
    const TensorShapes& tensors_;
    json config_;
    std::optional<Error> error_;
};

void read_mamba(Hybrid& made) {
    made.type(made.says("ssm.dt_b_c_rms") ? "falcon_mamba" : "mamba");
    made.sizes({"backbone.embeddings.weight"}, {"lm_head.weight"});
    made.number("ssm.inner_size", "intermediate_size");
    made.number("ssm.state_size", "state_size");
    made.number("ssm.conv_kernel", "conv_kernel");
    made.number("ssm.time_step_rank", "time_step_rank");
    made.epsilon("layer_norm_epsilon");
    made.has({"*.mixer.conv1d.bias"}, "use_conv_bias");
    made.has({"*.mixer.in_proj.bias"}, "use_bias");
}

void read_mamba2(Hybrid& made) {
    made.type("mamba2");
    made.sizes({"backbone.embeddings.weight"}, {"lm_head.weight"});
    made.states({"num_heads", "head_dim", "n_groups", "state_size", "conv_kernel"});
    made.expand("expand");
    made.epsilon("layer_norm_epsilon");
    made.has({"*.mixer.conv1d.bias"}, "use_conv_bias");
    made.has({"*.mixer.in_proj.bias"}, "use_bias");
}

void read_nemotron(Hybrid& made) {
    made.type("nemotron_h");
    made.sizes({"backbone.embeddings.weight"}, {"lm_head.weight"});
    made.attention({"*.mixer.q_proj.weight"}, {"*.mixer.k_proj.weight"});
    made.layers_called("layers_block_type", {{"*.mixer.A_log", "mamba"},
                                             {"*.mixer.q_proj.weight", "attention"},
                                             {"*.mixer.gate.weight", "moe"},
                                             {"", "mlp"}});
    made.states({"mamba_num_heads", "mamba_head_dim", "n_groups", "ssm_state_size", "conv_kernel"});
    made.epsilon("layer_norm_epsilon");
    made.put("intermediate_size", made.side({"*.mixer.up_proj.weight"}));
    made.has({"*.mixer.conv1d.bias"}, "use_conv_bias");
    made.has({"*.mixer.in_proj.bias"}, "use_bias");
    made.has({"*.mixer.up_proj.bias"}, "mlp_bias");
    if (!made.there({"*.mixer.gate.weight"})) return;
    made.mixture("n_routed_experts");
    made.put("moe_intermediate_size", made.side({"*.mixer.experts.{e}.up_proj.weight"}));
    made.put("moe_shared_expert_intermediate_size", made.side({"*.mixer.shared_experts.up_proj.weight"}));
    made.number("expert_shared_count", "n_shared_experts");
    made.number("expert_group_count", "n_group");
    if (made.key("moe_latent_size"))
        made.fail({"experts that read a narrower row are not known", "moe_latent_size", "open another model"});
}

void read_jamba(Hybrid& made) {
    made.type("jamba");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.number("feed_forward_length", "intermediate_size");
    made.layers_by_period({"*.self_attn.q_proj.weight"}, "attn_layer_period", "attn_layer_offset");
    made.layers_by_period({"*.feed_forward.router.weight"}, "expert_layer_period", "expert_layer_offset");
    made.mixture("num_experts");
    if (!made.there({"*.feed_forward.router.weight"})) {
        made["num_experts"] = 1;
        made["num_experts_per_tok"] = 1;
    }
    made.expand("mamba_expand");
    made.number("ssm.state_size", "mamba_d_state");
    made.number("ssm.conv_kernel", "mamba_d_conv");
    made.number("ssm.time_step_rank", "mamba_dt_rank");
    made.epsilon("rms_norm_eps");
    made.has({"*.mamba.conv1d.bias"}, "mamba_conv_bias");
    made.has({"*.mamba.in_proj.bias"}, "mamba_proj_bias");
}

void read_granite(Hybrid& made) {
    made.type("granitemoehybrid");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.layers_called("layer_types", {{"*.mamba.A_log", "mamba"}, {"", "attention"}});
    made.states({"mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv"});
    made.expand("mamba_expand");
    made.epsilon("rms_norm_eps");
    made.has({"*.mamba.conv1d.bias"}, "mamba_conv_bias");
    made.has({"*.mamba.in_proj.bias"}, "mamba_proj_bias");
    made.mixture("num_local_experts");
    if (!made.there({"*.block_sparse_moe.router.layer.weight"})) made["num_local_experts"] = 0;
    made.put("intermediate_size", made.side({"*.block_sparse_moe.output_linear.weight"}, false));
    made.put("shared_intermediate_size", made.side({"*.shared_mlp.output_linear.weight"}, false));
    made.real("embedding_scale", "embedding_multiplier");
    made.real("residual_scale", "residual_multiplier");
    made.real("logit_scale", "logits_scaling");
    made.real("attention.scale", "attention_multiplier");
    made.has({"*.self_attn.q_proj.bias"}, "attention_bias");
    made["position_embedding_type"] = "nope";
}

// Its multipliers are in the weights already.
void read_falcon(Hybrid& made) {
    made.type("falcon_h1");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.number("feed_forward_length", "intermediate_size");
    made.states({"mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv"});
    made.number("ssm.inner_size", "mamba_d_ssm");
    made.epsilon("rms_norm_eps");
    made.has({"*.mamba.norm.weight"}, "mamba_rms_norm");
    made.has({"*.mamba.conv1d.bias"}, "mamba_conv_bias");
    made.has({"*.mamba.in_proj.bias"}, "mamba_proj_bias");
    made.has({"*.mamba.out_proj.bias"}, "projectors_bias");
    made.has({"*.self_attn.q_proj.bias"}, "attention_bias");
    made.has({"*.feed_forward.up_proj.bias"}, "mlp_bias");
    for (const char* const each :
         {"attention_in_multiplier", "attention_out_multiplier", "key_multiplier", "lm_head_multiplier",
          "embedding_multiplier", "ssm_in_multiplier", "ssm_out_multiplier"})
        made[each] = 1.0;
    made["mlp_multipliers"] = {1.0, 1.0};
    made["ssm_multipliers"] = {1.0, 1.0, 1.0, 1.0, 1.0};
}

void read_lfm2(Hybrid& made) {
    const bool experts = made.there({"*.feed_forward.gate.weight"});
    made.type(experts ? "lfm2_moe" : "lfm2");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.layers_called("layer_types", {{"*.conv.conv.weight", "conv"}, {"", "full_attention"}});
    made.number("shortconv.l_cache", "conv_L_cache");
    made.has({"*.conv.in_proj.bias"}, "conv_bias");
    made.epsilon("norm_eps");
    made.put("intermediate_size", made.side({"*.feed_forward.w1.weight"}));
    if (!experts) {
        made["block_auto_adjust_ff_dim"] = false;
        return;
    }
    made.mixture("num_experts");
    made.put("moe_intermediate_size", made.side({"*.feed_forward.experts.{e}.w1.weight"}));
    made.number("leading_dense_block_count", "num_dense_layers");
    made.has({"*.feed_forward.expert_bias"}, "use_expert_bias");
}

void read_qwen(Hybrid& made, std::string_view type, bool experts) {
    made.type(type);
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"}, 2);
    made.has({"*.self_attn.q_proj.bias"}, "attention_bias");
    made.layers_called("layer_types", {{"*.linear_attn.A_log", "linear_attention"}, {"", "full_attention"}});
    made.states({"linear_num_value_heads", "linear_value_head_dim", "linear_num_key_heads", "linear_key_head_dim",
                 "linear_conv_kernel_dim"});
    made.epsilon("rms_norm_eps");
    const Number turned = made.key("rope.dimension_count"), width = made.key("attention.key_length");
    if (turned && width.value_or(0) > 0)
        made["partial_rotary_factor"] = static_cast<double>(*turned) / static_cast<double>(*width);
    made.put("intermediate_size", experts ? made.key("feed_forward_length") : made.side({"*.mlp.up_proj.weight"}));
    if (!experts) return;
    made.mixture("num_experts");
    made.put("moe_intermediate_size", made.side({"*.mlp.experts.{e}.up_proj.weight"}));
    made.put("shared_expert_intermediate_size", made.side({"*.mlp.shared_expert.up_proj.weight"}));
}

void read_kimi(Hybrid& made) {
    made.type("kimi_linear");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.number("attention.head_count", "num_attention_heads");
    made.number("context_length", "model_max_length");
    made.layers_called("layer_types", {{"*.self_attn.A_log", "linear_attention"}, {"", "full_attention"}});
    made.number("kda.head_dim", "linear_head_dim");
    made.put("linear_num_heads", made.side({"*.self_attn.b_proj.weight"}));
    made.number("ssm.conv_kernel", "linear_conv_kernel_dim");
    made.epsilon("rms_norm_eps");
    made["q_lora_rank"] = made.key("attention.q_lora_rank") ? json(*made.key("attention.q_lora_rank")) : json();
    made.number("attention.kv_lora_rank", "kv_lora_rank");
    made.number("rope.dimension_count", "qk_rope_head_dim");
    const Number whole = made.key("attention.key_length_mla"), turned = made.key("rope.dimension_count");
    if (whole && turned && *turned > *whole)
        made.fail({"more columns are turned than a head has", "rope.dimension_count",
                   "open the model's config.json instead"});
    if (whole && turned) made["qk_nope_head_dim"] = *whole - *turned;
    made.number("attention.value_length_mla", "v_head_dim");
    made.put("intermediate_size", made.side({"*.mlp.up_proj.weight", "*.block_sparse_moe.up_proj.weight"}));
    made.mixture("num_experts");
    made.put("moe_intermediate_size", made.side({"*.block_sparse_moe.experts.{e}.w1.weight"}));
    made.number("expert_shared_count", "num_shared_experts");
    made.has({"*.self_attn.o_proj.bias"}, "attention_bias");
    made.number("leading_dense_block_count", "first_k_dense_replace");
}

void read_bert(Hybrid& made, bool nomic) {
    made.type(nomic ? "nomic_bert" : "bert");
    made.sizes({"embeddings.word_embeddings.weight"}, {});
    made["architectures"] = {nomic ? "NomicBertModel" : "BertModel"};
    made["add_pooling_layer"] = false;
    made["type_vocab_size"] = made.side({"embeddings.token_type_embeddings.weight"}).value_or(0);
    made.number("attention.head_count", "num_attention_heads");
    made.number("feed_forward_length", "intermediate_size");
    made.number("context_length", "max_position_embeddings");
    made.put("max_position_embeddings", made.side({"embeddings.position_embeddings.weight"}));
    made.epsilon("layer_norm_eps");
    made.real("rope.freq_base", "rope_theta");
    if (made.there({"*.attention.self.query.weight"}) || nomic) return;
    made.fail(not_said("of which kind its attention is"));
}

void read_t5(Hybrid& made) {
    made.type("t5");
    made["vocab_size"] = made.side({"shared.weight"}).value_or(0);
    made.number("embedding_length", "d_model");
    made.number("attention.key_length", "d_kv");
    made.number("feed_forward_length", "d_ff");
    const Number layers = made.layers("block_count"), decoders = made.layers("decoder_block_count");
    made.put("num_layers", layers);
    made["num_decoder_layers"] = decoders ? *decoders : layers.value_or(0);
    made.number("attention.head_count", "num_heads");
    made.number("attention.relative_buckets_count", "relative_attention_num_buckets");
    made.epsilon("layer_norm_epsilon");
    made.number("decoder_start_token_id", "decoder_start_token_id");
    made["feed_forward_proj"] = made.there({"*.layer.{e}.DenseReluDense.wi_0.weight"}) ? "gated-gelu" : "relu";
    made["tie_word_embeddings"] = !made.there({"lm_head.weight"});
}

struct Kind {
    std::string_view architecture;
    void (*read)(Hybrid&);
};
constexpr Kind kinds[] = {
    {"mamba", read_mamba},
    {"mamba2", read_mamba2},
    {"nemotron_h", read_nemotron},
    {"nemotron_h_moe", read_nemotron},
    {"jamba", read_jamba},
    {"granitehybrid", read_granite},
    {"falcon-h1", read_falcon},
    {"lfm2", read_lfm2},
    {"lfm2moe", read_lfm2},
    {"qwen3next", [](Hybrid& made) { read_qwen(made, "qwen3_next", true); }},
    {"qwen35", [](Hybrid& made) { read_qwen(made, "qwen3_5_text", false); }},
    {"qwen35moe", [](Hybrid& made) { read_qwen(made, "qwen3_5_moe_text", true); }},
    {"kimi-linear", read_kimi},
    {"bert", [](Hybrid& made) { read_bert(made, false); }},
    {"nomic-bert", [](Hybrid& made) { read_bert(made, true); }},
    {"t5", read_t5},
    {"t5encoder",
     [](Hybrid& made) {
         made.fail({"an encoder of T5's kind by itself is not known here", "", "open a model with both stacks"});
     }},
};

}  // namespace

std::optional<Result<json>> config_unlike_llama(const std::string& architecture, GgufKeys& keys,
                                                const TensorShapes& tensors) {
    const auto* const kind = std::ranges::find(kinds, architecture, &Kind::architecture);
    if (kind == std::end(kinds)) return std::nullopt;
    Hybrid made(keys, tensors);
    kind->read(made);
    return made.take();
}

}  // namespace headcount
