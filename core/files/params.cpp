// Meta's params.json: said again as a Hugging Face configuration, which the families read; and the tokenizer beside it,
// to which it may leave the vocabulary.
#include "core/files/params.hpp"

#include <algorithm>
#include <array>

#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/base/find.hpp"
#include "core/base/json_file.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace {

using nlohmann::json;

// The type that a family reads: Mistral's files give the feed-forward's width, Meta's its rule.
std::string_view type_of(const json& params) {
    if (said(params, "moe")) return "mixtral";
    return said(params, "hidden_dim") ? "mistral" : "llama";
}

bool is_translated(std::string_view key) {
    constexpr std::array<std::string_view, 13> translated{
        "dim",         "n_layers", "n_heads",    "n_kv_heads",  "head_dim",           "hidden_dim", "sliding_window",
        "max_seq_len", "norm_eps", "vocab_size", "multiple_of", "ffn_dim_multiplier", "moe"};
    return contains(translated, key);
}

// What only Meta's or Mistral's files call so.
void translate(ConfigReader& reader, const json& params, json& config) {
    auto number = [&](std::string_view from, std::string_view to, std::optional<std::int64_t> otherwise) {
        std::optional<std::int64_t> value = reader.optional_number({from});
        if (!value) value = otherwise;
        if (value) config[std::string(to)] = *value;
    };
    number("dim", "hidden_size", {});
    number("n_layers", "num_hidden_layers", {});
    number("n_heads", "num_attention_heads", {});
    number("n_kv_heads", "num_key_value_heads", reader.optional_number({"n_heads"}));
    number("head_dim", "head_dim", {});
    number("hidden_dim", "intermediate_size", {});
    number("sliding_window", "sliding_window", {});
    number("max_seq_len", "max_position_embeddings", {});
    config["rms_norm_eps"] = reader.real({"norm_eps"}, 1e-5);
    if (const json* moe = reader.object({"moe"})) {
        ConfigReader inner(*moe);
        config["num_local_experts"] = inner.number({"num_experts"}, 8);
        config["num_experts_per_tok"] = inner.number({"num_experts_per_tok"}, 2);
        if (inner.error()) reader.reject("moe." + inner.error()->where, inner.error()->what, inner.error()->fix);
    }
    // All else goes on under its own name: what no family knows is named as not read.
    for (const auto& [key, value] : params.items())
        if (!is_translated(key) && !config.contains(key)) config[key] = value;
}

Result<Architecture> with_metas_rule(Architecture arch, const json& params) {
    arch.layer.feed_forward.width = MetaRule{};
    for (const auto& [key, field] :
         {std::pair("multiple_of", Field::ffn_multiple_of), std::pair("ffn_dim_multiplier", Field::ffn_multiplier)}) {
        const json* found = said(params, key);
        if (!found) continue;
        Result<Architecture> changed = with_field(std::move(arch), field, found->dump());
        if (!changed) return within(key, changed.error());
        arch = std::move(*changed);
    }
    return arch;
}

// Walks the fields of a protocol buffer: a key with number and kind, then the value.
class Protobuf {
  public:
    explicit Protobuf(std::string_view bytes) : bytes_(bytes) {}

    std::size_t at() const { return at_; }
    bool done() const { return at_ == bytes_.size(); }

    // The number of the next field, having stepped over its value; nothing where there is no whole one.
    std::optional<std::uint64_t> skip_field() {
        const std::optional<std::uint64_t> key = varint();
        if (!key) return std::nullopt;
        const std::uint64_t kind = *key & 7;
        std::optional<std::uint64_t> length;
        if (kind == 0 && varint()) length = 0;
        if (kind == 1) length = 8;
        if (kind == 2) length = varint();
        if (kind == 5) length = 4;
        if (!length || *length > bytes_.size() - at_) return std::nullopt;
        at_ += static_cast<std::size_t>(*length);
        return *key >> 3;
    }

  private:
    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
        return std::nullopt;
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

// "IQ== 0": a line of the list that Llama 3's tokenizer.model is.
bool is_list(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.size() < 1000 && line.ends_with(" 0") &&
           std::ranges::all_of(line, [](unsigned char c) { return c >= ' ' && c < 0x7f; });
}

constexpr std::int64_t special_tokens = 256;  // that Llama 3 adds behind its list

Result<std::int64_t> tokens_in(const nlohmann::json& tokenizer, std::string_view where) {
    const auto model = tokenizer.find("model");
    const bool has = model != tokenizer.end() && model->is_object() && model->contains("vocab");
    if (!has || !(*model)["vocab"].is_structured())
        return Error{"there is no vocabulary", std::string(where) + ", model.vocab", "give the tokenizer of the model"};
    // Added tokens may be in the vocabulary too: what counts is the highest id.
    auto count = static_cast<std::int64_t>((*model)["vocab"].size());
    if (!tokenizer.contains("added_tokens")) return count;
    for (const nlohmann::json& token : tokenizer["added_tokens"]) {
        if (!token.is_object() || !token.contains("id") || !token["id"].is_number_unsigned()) continue;
        constexpr std::uint64_t highest = 1u << 31;  // no vocabulary comes near it
        if (const auto id = token["id"].get<std::uint64_t>(); id < highest)
            count = std::max(count, static_cast<std::int64_t>(id) + 1);
    }
    return count;
}

}  // namespace

bool is_params(const json& params) {
    return params.contains("dim") && params.contains("n_layers") && !params.contains("model_type");
}

Result<Architecture> read_params(const json& params, std::optional<std::int64_t> vocab, std::string_view where) {
    const std::string place(where);
    ConfigReader reader(params);
    json config;
    translate(reader, params, config);
    const std::optional<std::int64_t> written = reader.optional_number({"vocab_size"}, -1);
    if (reader.error()) return within(place, *reader.error());

    const Family* family = find_family(type_of(params));
    Result<Architecture> arch = family->read(config, *family);
    if (arch && !said(params, "hidden_dim")) arch = with_metas_rule(std::move(*arch), params);
    if (!arch) return within(place, arch.error());
    const bool open = written.value_or(-1) == -1;
    arch->vocab = open ? 1 : *written;
    if (std::vector<Problem> problems = validate(*arch); !problems.empty())
        return within(place, problems.front().error);
    if (open) arch->vocab = vocab.value_or(0);
    return arch;
}

Result<std::int64_t> pieces_in(std::string_view model, std::string_view where) {
    if (is_list(model)) {
        const std::int64_t lines = std::ranges::count(model, '\n') + (model.ends_with('\n') ? 0 : 1);
        return lines + special_tokens;
    }
    Protobuf fields(model);
    std::int64_t pieces = 0;
    while (!fields.done()) {
        const std::size_t at = fields.at();
        const std::optional<std::uint64_t> number = fields.skip_field();
        if (!number)
            return Error{"this is not a SentencePiece model", std::string(where) + ", byte " + std::to_string(at),
                         "give the tokenizer.model of the model, or say the vocabulary"};
        pieces += *number == 1 ? 1 : 0;  // ModelProto.pieces
    }
    if (pieces == 0)
        return Error{"this tokenizer has no pieces", std::string(where), "give the tokenizer.model of the model"};
    return pieces;
}

Result<std::optional<std::int64_t>> tokenizer_size_beside(const std::filesystem::path& directory) {
    std::error_code ignored;
    const std::filesystem::path model = directory / tokenizer_model, json = directory / tokenizer_json;
    if (std::filesystem::exists(model, ignored)) {
        Result<std::string> text = read_text(model);
        if (!text) return text.error();
        Result<std::int64_t> pieces = pieces_in(*text, model.string());
        if (!pieces) return pieces.error();
        return std::optional(*pieces);
    }
    if (!std::filesystem::exists(json, ignored)) return std::optional<std::int64_t>{};
    Result<nlohmann::json> tokenizer = read_json(json);
    if (!tokenizer) return tokenizer.error();
    Result<std::int64_t> tokens = tokens_in(*tokenizer, json.string());
    if (!tokens) return tokens.error();
    return std::optional(*tokens);
}

}  // namespace headcount
