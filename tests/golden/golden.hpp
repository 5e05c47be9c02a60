// What tests share: the presets, the published models, and random architectures. What cannot be read ends the test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/arch/validate.hpp"
#include "core/families/families.hpp"
#include "core/files/presets.hpp"
#include "core/graph/graph.hpp"

namespace headcount::testing_data {

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

inline nlohmann::json read_json_file(const std::filesystem::path& path) {
    return nlohmann::json::parse(read_file(path));
}

inline std::filesystem::path golden_folder() {
    return std::filesystem::path(HEADCOUNT_TESTS_DIR) / "golden";
}

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

// One part of published.json: "totals", "facts" or "shapes".
inline nlohmann::json published(const std::string& part) {
    return read_json_file(golden_folder() / "published.json").at(part);
}

inline std::vector<Preset> all_presets() {
    Result<std::vector<Preset>> presets = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    if (!presets) throw std::runtime_error(sentence(presets.error()));
    return *presets;
}

inline Architecture preset(std::string_view id) {
    std::vector<Preset> presets = all_presets();
    const Preset* found = find_preset(presets, id);
    if (!found) throw std::runtime_error("no preset " + std::string(id));
    return found->architecture;
}

inline Architecture with(Architecture arch, std::string_view key, std::string_view text) {
    Result<Architecture> changed = with_field(std::move(arch), key, text);
    if (!changed) throw std::runtime_error(sentence(changed.error()));
    return *changed;
}

// A name for a parameterized test, which may hold letters and digits only.
inline std::string test_name(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return text;
}

// A valid architecture with every choice made by chance: the same for the same generator.
inline Architecture random_architecture(std::mt19937_64& random) {
    // Written out: the standard distributions differ between libraries.
    auto below = [&](std::uint64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    auto coin = [&] { return below(2) == 1; };
    Architecture arch;
    arch.family = families()[static_cast<std::size_t>(below(families().size()))];
    arch.name = "random";
    arch.positions = static_cast<Positions>(below(3));
    std::int64_t kv_heads = 1 + below(8);
    std::int64_t heads = kv_heads * (1 + below(8));
    std::int64_t head_dim = 2 * (1 + below(64));
    bool own_head_dim = coin();
    arch.dim = own_head_dim ? 1 + below(5000) : heads * head_dim;
    arch.layers = 1 + below(200);
    arch.vocab = 1 + below(200'000);
    arch.context = 1 + below(200'000);
    arch.tied = coin();
    arch.norm = {coin() ? NormKind::rms : NormKind::layer, coin() ? NormPlacement::before : NormPlacement::after,
                 below(4) > 0, coin(), 1e-5};
    arch.layer.attention = {heads, kv_heads, {}, coin(), coin()};
    if (own_head_dim) arch.layer.attention.head_dim = head_dim;
    if (kv_heads == heads && coin()) arch.layer.attention.kv_heads.reset();
    arch.layer.feed_forward = {coin(), static_cast<Activation>(below(4)), 1 + below(30'000), coin()};
    if (coin()) arch.layer.feed_forward.width = MetaRule{1 + below(5000), {1 + below(20), 1 + below(10)}};
    return validate(arch).empty() ? arch : random_architecture(random);
}

}  // namespace headcount::testing_data
