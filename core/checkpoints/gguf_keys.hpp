// The keys of a GGUF file's metadata that say how large its model is.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/model_facts.hpp"

namespace headcount {

// Reads the keys of one architecture, keeping the first thing that is wrong.
class GgufKeys {
  public:
    GgufKeys(const Checkpoint& gguf, std::string architecture)
        : metadata_(gguf.metadata), architecture_(std::move(architecture)) {}

    Number number(const char* key) { return whole(architecture_ + "." + key); }
    // Of layers, each of which may come to stand in a list.
    Number layers(const char* key) {
        constexpr std::int64_t most = 99'999;
        const Number count = number(key);
        if (count && *count > most) fail(architecture_ + "." + key, *count, "at most 99,999 layers");
        return count && *count <= most ? count : std::nullopt;
    }
    std::optional<double> real(const char* key) { return plain<double>(key, &nlohmann::json::is_number, "a number"); }
    std::optional<bool> flag(const char* key) { return plain<bool>(key, &nlohmann::json::is_boolean, "true or false"); }
    // One value a layer; nothing where there is one for all.
    std::vector<nlohmann::json> each(const char* key) const {
        const nlohmann::json* value = find(architecture_ + "." + key);
        return value && value->is_array() ? std::vector<nlohmann::json>(value->begin(), value->end())
                                          : std::vector<nlohmann::json>();
    }
    // How many tokens the tokenizer has; the array itself is left out of the metadata where it is long.
    Number tokens() const {
        const nlohmann::json* tokens = find("tokenizer.ggml.tokens");
        if (!tokens) return std::nullopt;
        if (tokens->is_array()) return static_cast<std::int64_t>(tokens->size());
        return tokens->is_object() && tokens->contains("length") ? Number(tokens->at("length").get<std::int64_t>())
                                                                 : std::nullopt;
    }
    const std::optional<Error>& error() const { return error_; }

  private:
    const nlohmann::json* find(const std::string& key) const {
        const auto found = metadata_.find(key);
        return found == metadata_.end() ? nullptr : &*found;
    }
    template <class Value>
    std::optional<Value> plain(const char* key, bool (nlohmann::json::*is)() const, const char* expected) {
        const std::string whole_key = architecture_ + "." + key;
        const nlohmann::json* value = find(whole_key);
        if (!value) return std::nullopt;
        if ((value->*is)()) return value->get<Value>();
        fail(whole_key, *value, expected);
        return std::nullopt;
    }
    Number whole(const std::string& key) {
        const nlohmann::json* value = find(key);
        if (!value) return std::nullopt;
        // One number a layer, all alike, is one for all.
        if (value->is_array() && !value->empty()) {
            const nlohmann::json& first = value->front();
            if (std::ranges::any_of(*value, [&](const nlohmann::json& each) { return each != first; })) {
                fail(key, *value, "the same number for every layer");
                return std::nullopt;
            }
            value = &first;
        }
        constexpr std::int64_t most = std::int64_t{1} << 40;
        if (value->is_number_integer() && value->get<std::int64_t>() >= 0 && value->get<std::int64_t>() <= most)
            return value->get<std::int64_t>();
        fail(key, *value, "a whole number from 0 to 1,099,511,627,776");
        return std::nullopt;
    }
    void fail(const std::string& key, const nlohmann::json& value, const char* expected) {
        if (error_) return;
        error_ = Error{in_quotes(value.dump()) + " was found, " + expected + " was expected", key,
                       "open the model's config.json instead"};
    }

    const nlohmann::json& metadata_;
    std::string architecture_;
    std::optional<Error> error_;
};

// The config.json of a model whose layers have a state or convolutions in attention's place, or of an encoder: what
// LLaMA's facts have no words for. Nothing of other architectures. `tensors` by their published names. Errors: an
// architecture that is known and not read, and what a file does not say.
std::optional<Result<nlohmann::json>> config_unlike_llama(const std::string& architecture, GgufKeys& keys,
                                                          const TensorShapes& tensors);

}  // namespace headcount
