// A GGUF file's metadata and tensors as they become the config.json of a model that LLaMA's facts have no words for.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/checkpoints/gguf_keys.hpp"

namespace headcount {

inline Error not_said(std::string what) {
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
    void has(TensorShapes::Names names, const char* field) { config_[field] = tensors_.has(names); }
    template <class Value>
    void put(const char* field, const std::optional<Value>& value) {
        if (value) config_[field] = *value;
    }
    nlohmann::json& operator[](const char* field) { return config_[field]; }

    // Rows, or columns, of a matrix.
    Number side(TensorShapes::Names names, bool first = true) const {
        const TensorShapes::Shape* const shape = tensors_.find(names);
        if (!shape || shape->empty()) return std::nullopt;
        return first ? shape->front() : shape->back();
    }
    Number key(const char* name) { return keys_.number(name); }
    std::optional<double> real(const char* name) { return keys_.real(name); }
    Number layers(const char* name) { return keys_.layers(name); }
    // One value a layer: nothing where the file has none, or one for all.
    std::vector<nlohmann::json> each(const char* name) { return keys_.each(name); }
    bool says(const char* name) { return keys_.flag(name).value_or(false); }
    std::set<std::int64_t> layers_with(TensorShapes::Names names) const { return tensors_.layers_with(names); }
    bool there(TensorShapes::Names names) const { return tensors_.has(names); }

    // One word a layer: the first pair one of whose tensors it has; the last pair's where it has none.
    void layers_called(const char* field, std::initializer_list<std::pair<const char*, const char*>> words) {
        nlohmann::json all = nlohmann::json::array();
        for (std::int64_t layer = 0; layer < tensors_.layers(); ++layer) {
            const auto* word = words.begin();
            for (; word + 1 != words.end(); ++word)
                if (tensors_.layers_with({word->first}).contains(layer)) break;
            all.push_back(word->second);
        }
        config_[field] = std::move(all);
    }
    // Where those with such a tensor come every so many layers: how many, and which is the first.
    void layers_by_period(TensorShapes::Names names, const char* period, const char* offset) {
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
    void sizes(TensorShapes::Names embedding, TensorShapes::Names head) {
        config_["vocab_size"] = side(embedding).value_or(keys_.tokens().value_or(0));
        put("hidden_size", side(embedding, false) ? side(embedding, false) : keys_.number("embedding_length"));
        config_["num_hidden_layers"] = tensors_.layers();
        config_["tie_word_embeddings"] = !tensors_.has(head);
        if (tensors_.layers() == 0) fail(not_said("how many layers the model has"));
        if (!tensors_.has(embedding)) fail(not_said("how many words the vocabulary has"));
    }
    // Attention of some layers: as many key/value heads as their rows hold.
    void attention(TensorShapes::Names query, TensorShapes::Names key, std::int64_t parts_of_query = 1) {
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
    Result<nlohmann::json> take() {
        if (keys_.error()) return *keys_.error();
        if (error_) return *std::move(error_);
        return std::move(config_);
    }

  private:
    GgufKeys& keys_;
    const TensorShapes& tensors_;
    nlohmann::json config_;
    std::optional<Error> error_;
};

// Gemma 3n and Gemma 4: core/checkpoints/gguf_gemma.cpp.
void read_gemma3n(Hybrid& made);
void read_gemma4(Hybrid& made);

}  // namespace headcount
