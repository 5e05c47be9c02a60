// What tests share: the presets, the published models, and random architectures. What cannot be read ends the test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/arch/validate.hpp"
#include "core/families/families.hpp"
#include "core/files/config.hpp"
#include "core/graph/graph.hpp"
#include "tests/support/presets.hpp"

namespace headcount::testing_data {

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    std::string bytes(std::filesystem::file_size(path), '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

inline nlohmann::json read_json_file(const std::filesystem::path& path) {
    return nlohmann::json::parse(read_file(path));
}

inline std::filesystem::path golden_folder() { return std::filesystem::path(HEADCOUNT_TESTS_DIR) / "golden"; }

inline std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> ids;
    for (const auto& entry : std::filesystem::directory_iterator(golden_folder() / folder))
        ids.push_back(entry.path().stem().string());
    std::sort(ids.begin(), ids.end());
    return ids;
}

inline nlohmann::json golden_model(const std::string& id) {
    return read_json_file(golden_folder() / "models" / (id + ".json"));
}

// Its preset, or of a model that ships as none what its configuration says.
inline Architecture golden_architecture(const std::string& id) {
    if (const Preset* const shipped = find_preset(all_presets(), id)) return shipped->architecture;
    const Result<Architecture> read = read_config(golden_model(id)["config"], id);
    if (!read) throw std::runtime_error(sentence(read.error()));
    return *read;
}

// One part of published.json: "totals", "facts" or "shapes".
inline nlohmann::json published_facts(const std::string& part) {
    return read_json_file(golden_folder() / "published.json").at(part);
}

inline Architecture with(Architecture arch, std::string_view key, std::string_view text) {
    Result<Architecture> changed = with_field(std::move(arch), key, text);
    if (!changed) throw std::runtime_error(sentence(changed.error()));
    return *changed;
}

// Every tensor that the architecture's checkpoint stores, as the golden files have them: one row a name, in the order
// in which the names come first, with ranges of the layers that have it.
inline nlohmann::json stored_rows(const Architecture& arch, const ModelGraph& graph,
                                  const std::vector<StoredTensor>& tensors) {
    const Bindings values = bindings(arch, {});
    nlohmann::json rows = nlohmann::json::array();
    std::vector<StoredTensor> single;
    for (const StoredTensor& tensor : tensors) {
        // The golden files name what is stored head by head with its number.
        const std::size_t head = tensor.name.find("{h}");
        const std::int64_t copies = head == std::string::npos ? 1 : *evaluate(tensor.in_layer, values);
        for (std::int64_t copy = 0; copy < copies; ++copy) {
            single.push_back(tensor);
            if (head == std::string::npos) continue;
            single.back().name.replace(head, 3, std::to_string(copy));
            single.back().copies = tensor.copies / tensor.in_layer;
        }
    }
    for (const StoredTensor& tensor : single) {
        nlohmann::json shape = nlohmann::json::array();
        for (const Expr& dimension : tensor.shape.dimensions()) shape.push_back(*evaluate(dimension, values));
        auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) {
            return each["name"] == tensor.name && each["shape"] == shape;
        });
        if (row == rows.end()) {
            rows.push_back({{"name", tensor.name}, {"shape", shape}, {"count", 0}});
            row = rows.end() - 1;
        }
        (*row)["count"] = (*row)["count"].get<std::int64_t>() + *evaluate(tensor.copies, values);
        if (!tensor.layer) continue;
        const LayerKind& kind = graph.layers[*tensor.layer].group.kind;
        std::vector<bool> has(static_cast<std::size_t>(stack_layers(arch, kind)));
        if (row->contains("layers"))
            for (const auto& range : (*row)["layers"])
                for (std::size_t i = range[0]; i <= range[1].get<std::size_t>(); ++i) has[i] = true;
        for (std::size_t i = 0; i < has.size(); ++i)
            if (is_of_kind(arch, static_cast<std::int64_t>(i), kind)) has[i] = true;
        nlohmann::json ranges = nlohmann::json::array();
        for (std::size_t i = 0; i < has.size(); ++i)
            if (has[i] && (i == 0 || !has[i - 1]))
                ranges.push_back({i, i});
            else if (has[i])
                ranges.back()[1] = i;
        (*row)["layers"] = ranges;
    }
    return rows;
}

// What a golden model or an architecture holds, to be compared: tensors, buffers and whether the head is tied. The rows
// of types whose checkpoints transformers converts on loading have no order of their own, so these are sorted.
inline nlohmann::json published(const nlohmann::json& model) {
    static const std::set<std::string> without_order{
        "mixtral",      "qwen3_moe",    "qwen2_moe",  "deepseek_v2",      "deepseek_v3", "granitemoe",
        "gpt_neox",     "kimi_k2",      "qwen3_next", "granitemoehybrid", "nemotron_h",  "lfm2_moe",
        "jamba",        "deepseek_v32", "glm4_moe",   "glm_moe_dsa",      "dots1",       "minimax",
        "ernie4_5_moe", "phimoe",       "unispeech",  "unispeech-sat"};
    nlohmann::json all{{"tensors", model["tensors"]}, {"buffers", model["buffers"]}, {"tied", model["tied"]}};
    const bool sorted = without_order.contains(model["config"]["model_type"].get<std::string>());
    for (const char* list : {"tensors", "buffers"})
        if (sorted) std::sort(all[list].begin(), all[list].end());
    return all;
}
inline nlohmann::json published(const Architecture& arch, const nlohmann::json& like) {
    const ModelGraph graph = expand(arch);
    return published({{"tensors", stored_rows(arch, graph, graph.stored)},
                      {"buffers", stored_rows(arch, graph, graph.buffers)},
                      {"tied", graph.tied_head.has_value()},
                      {"config", like["config"]}});
}

// A name for a parameterized test, which may hold letters and digits only.
inline std::string test_name(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return text;
}

// Chance, the same everywhere: the standard distributions differ between libraries.
struct Chance {
    std::mt19937_64& random;

    std::int64_t below(std::uint64_t limit) const { return static_cast<std::int64_t>(random() % limit); }
    bool coin() const { return below(2) == 1; }
    bool rarely() const { return below(4) == 0; }

    template <class Choice>
    Choice of(std::uint64_t choices) const {
        return static_cast<Choice>(below(choices));
    }

    LayerSet layers() const {
        switch (below(4)) {
            case 0: return LayerSet::all_but_first(below(4));
            case 1: return LayerSet::every(1 + below(6));
            case 2: return *LayerSet::parse("01|110", "");
            default: return {};
        }
    }
};

inline Mixture random_mixture(const Chance& chance) {
    Mixture mixture;
    mixture.experts = 1 + chance.below(64);
    mixture.experts_per_token = 1 + chance.below(static_cast<std::uint64_t>(mixture.experts));
    mixture.expert_dim = 1 + chance.below(4000);
    mixture.shared_experts = chance.below(3);
    mixture.shared_gate = chance.coin();
    mixture.router_bias = chance.coin();
    mixture.correction_bias = chance.coin();
    mixture.layers = chance.layers();
    return mixture;
}

inline Latent random_latent(const Chance& chance) {
    Latent latent;
    if (chance.coin()) latent.query_rank = 1 + chance.below(2000);
    latent.kv_rank = 1 + chance.below(1000);
    latent.rope_dim = 2 * (1 + chance.below(64));
    latent.nope_dim = 1 + chance.below(200);
    latent.value_dim = 1 + chance.below(200);
    return latent;
}

inline Attention random_attention(const Chance& chance, std::int64_t heads, std::int64_t kv_heads) {
    Attention attention;
    attention.heads = heads;
    attention.kv_heads = kv_heads;
    if (kv_heads == heads && chance.coin()) attention.kv_heads.reset();
    attention.qkv_bias = chance.coin();
    attention.output_bias = chance.coin();
    attention.sinks = chance.rarely();
    if (chance.rarely()) attention.rotated = chance.layers();
    if (chance.rarely()) attention.window = AttentionWindow{1 + chance.below(5000), chance.coin(), chance.layers()};
    if (chance.rarely()) {
        attention.latent = random_latent(chance);
    } else {
        attention.qk_norm = chance.coin() ? QkNorm::none : chance.of<QkNorm>(5);
        attention.qk_norm_bias = chance.coin();
    }
    return attention;
}

// A valid architecture with every choice made by chance: the same for the same generator.
inline Recurrence random_recurrence(const Chance& chance) {
    const std::int64_t groups = 1 + chance.below(4);
    return {.state_dim = 1 + chance.below(200),
            .heads = groups * (1 + chance.below(6)),
            .groups = groups,
            .head_dim = 1 + chance.below(100),
            .conv_kernel = 2 + chance.below(4),
            .conv_bias = chance.coin(),
            .bias = chance.coin(),
            .output_bias = chance.coin(),
            .norm = !chance.rarely(),
            .norms_first = chance.rarely(),
            .kind = chance.of<RecurrenceKind>(10),
            .step_rank = 1 + chance.below(100),
            .blend_rank = 1 + chance.below(100),
            .write_rank = 1 + chance.below(100),
            .value_rank = 1 + chance.below(100),
            .gate_rank = 1 + chance.below(100),
            .inner_norms = chance.of<InnerNorms>(3),
            .beside_attention = chance.coin(),
            .layers = chance.layers()};
}

// What an encoder is not known together with left out.
inline Architecture beside_an_encoder(Architecture arch, std::int64_t layers) {
    arch.encoder = Encoder{layers};
    arch.positions = Positions::relative;
    arch.embedding_dim.reset();
    arch.embedding_norm = false;
    arch.layer.joining = Joining::in_turn;
    arch.layer.mixture.reset();
    arch.layer.attention.window.reset();
    arch.layer.attention.latent.reset();
    return arch;
}

inline Architecture random_architecture(std::mt19937_64& random) {
    const Chance chance{random};
    Architecture arch;
    arch.family = families()[static_cast<std::size_t>(chance.below(families().size()))];
    arch.name = "random";
    arch.positions = chance.of<Positions>(5);
    if (chance.rarely()) arch.position_offset = chance.below(4);
    std::int64_t kv_heads = 1 + chance.below(8);
    std::int64_t heads = kv_heads * (1 + chance.below(8));
    std::int64_t head_dim = 2 * (1 + chance.below(64));
    arch.layer.attention = random_attention(chance, heads, kv_heads);
    bool own_head_dim = chance.coin();
    arch.dim = own_head_dim ? 1 + chance.below(5000) : heads * head_dim;
    if (own_head_dim) arch.layer.attention.head_dim = head_dim;
    if (chance.rarely())
        arch.layer.attention.rotary_dim = 2 * (1 + chance.below(static_cast<std::uint64_t>(head_dim / 2)));
    arch.layers = 1 + chance.below(200);
    arch.vocab = 1 + chance.below(200'000);
    arch.context = 1 + chance.below(200'000);
    arch.tied = chance.coin();
    arch.head_bias = chance.rarely();
    arch.embedding_norm = chance.rarely();
    if (chance.rarely()) arch.embedding_dim = 1 + chance.below(2000);
    arch.norm = {.kind = chance.of<NormKind>(2),
                 .placement = chance.of<NormPlacement>(4),
                 .scale = !chance.rarely(),
                 .bias = chance.coin(),
                 .final = !chance.rarely(),
                 .epsilon = 1e-5};
    arch.layer.joining = chance.rarely() ? chance.of<Joining>(3) : Joining::in_turn;
    arch.layer.feed_forward = {chance.coin(), chance.of<Activation>(8), 1 + chance.below(30'000), chance.coin()};
    if (chance.coin())
        arch.layer.feed_forward.width =
            MetaRule{1 + chance.below(5000), {10 * chance.below(3) + 1 + 2 * chance.below(2), 10}};
    if (chance.rarely()) arch.layer.mixture = random_mixture(chance);
    arch.layer.attention.relative_buckets = 4 + chance.below(60);
    if (chance.rarely()) return beside_an_encoder(std::move(arch), 1 + chance.below(30));
    if (chance.rarely()) arch.layer.recurrence = random_recurrence(chance);
    if (chance.rarely()) arch.layer.feed_forward_layers = chance.layers();
    if (chance.rarely()) arch.layer.attention.mask = AttentionMask::full;
    arch.layer.attention.output_gate = chance.rarely();
    arch.layer.attention.differential = kv_heads % 2 == 0 && chance.rarely();
    if (chance.rarely()) arch.token_types = 1 + chance.below(4);
    if (chance.rarely()) arch.output = chance.of<OutputKind>(4);
    return validate(arch).empty() ? arch : random_architecture(random);
}

}  // namespace headcount::testing_data
