// What the command line and the window call ARCH: a preset's id or a path, opened as an architecture.
#include "core/files/open.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "core/arch/family.hpp"
#include "core/arch/validate.hpp"
#include "core/base/find.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/checkpoints/infer.hpp"
#include "core/checkpoints/safetensors.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/unknown.hpp"
#include "core/files/config.hpp"
#include "core/files/json_kind.hpp"
#include "core/files/multimodal.hpp"
#include "core/files/params.hpp"
#include "core/files/preset_search.hpp"
#include "core/files/saved_model.hpp"
#include "core/files/stored_formats.hpp"
#include "core/files/tried_fields.hpp"
#include "core/files/unlike_weights.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

// Whether it can be nobody's name of a model, as OWNER/NAME is.
bool is_path(std::string_view text) {
    return text.starts_with('/') || text.starts_with('.') || text.starts_with('~') || std::ranges::count(text, '/') > 1;
}

Error unknown(std::string_view text, std::span<const Preset> presets) {
    const std::string all = "\"headcount presets\" lists what there is";
    if (text.empty()) return {"there is no preset and no file without a name", "ARCH", all};
    if (std::optional<Error> damaged = damaged_preset(text)) return *std::move(damaged);
    if (is_path(text)) {
        if (std::optional<Error> nowhere = leads_nowhere(text)) return *std::move(nowhere);
        return {"there is no file of this name", std::string(text), "look where it is, or name a preset: " + all};
    }
    if (presets_called(presets, text).size() > 1 || !presets_about(presets, text).empty())
        return no_one_preset(presets, text, "ARCH");
    if (std::optional<Error> nowhere = leads_nowhere(text)) return *std::move(nowhere);
    // "OWNER/NAME-Instruct-2507": what was made of one that ships is as large as that.
    const std::string name = lower(std::string(text.substr(text.rfind('/') + 1)));
    std::string_view begun;
    std::vector<std::string_view> ids;
    for (const Preset& preset : presets) {
        ids.push_back(preset.id);
        if (name.starts_with(preset.id + "-") && preset.id.size() > begun.size()) begun = preset.id;
    }
    if (!begun.empty())
        return {"there is no preset and no file of this name", std::string(text),
                "did you mean " + std::string(begun) + "?"};
    return {"there is no preset and no file of this name", std::string(text), did_you_mean(text, ids, all)};
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// A name for what has none of its own: the directory of a file that is called the same everywhere, else the file.
std::string name_for(const fs::path& path) {
    std::error_code failure;  // there may be no working directory any more
    const fs::path there = fs::absolute(path, failure);
    const fs::path whole = (failure ? path : there).lexically_normal();
    constexpr std::array<std::string_view, 4> common{"config.json", "params.json", "model.safetensors",
                                                     "model.safetensors.index.json"};
    for (std::string_view each : common)
        if (whole.filename() == each) return whole.parent_path().filename().string();
    return whole.stem().string();
}

void append(std::vector<std::string>& notes, const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
}

Opened opened(Architecture arch, const fs::path& path) {
    arch.name = name_for(path);
    Opened opened{std::move(arch), nullptr, nullptr, {}};
    opened.notes = notes_on(opened.architecture);
    const StoredFormats stored = stored_formats(opened.architecture);
    append(opened.notes, notes_on(stored));
    opened.precision = stored.weights;
    opened.cache = stored.cache;
    opened.weights_doubt = stored.doubt;
    opened.read = {path};
    return opened;
}

// What the weights hold as this part, also under a prefix.
const CheckpointTensor* held_as(Part part, const Checkpoint& weights, const Family& family) {
    const auto module = std::ranges::find_if(
        family.modules, [&](const Module& each) { return std::ranges::count(each.parts, part) > 0; });
    if (module == family.modules.end()) return nullptr;
    const std::string name = std::string(module->name) + ".weight";
    return find_if_in(weights.tensors, [&](const CheckpointTensor& tensor) {
        return tensor.name == name || tensor.name.ends_with("." + name);
    });
}

// Whether both are the same in a few places that lie as far apart as they can; nothing where that cannot be said.
std::optional<bool> are_copies(const Checkpoint& weights, const CheckpointTensor& one, const CheckpointTensor& other) {
    if (one.shape != other.shape || one.type != other.type) return std::nullopt;
    Result<RegularFile> file = RegularFile::open(weights.files[one.file]);
    Result<RegularFile> other_file = RegularFile::open(weights.files[other.file]);
    if (!file || !other_file) return std::nullopt;
    constexpr std::int64_t places = 16;
    std::array<std::byte, 4096> bytes{}, other_bytes{};
    const std::int64_t count = std::min<std::int64_t>(bytes.size(), one.bytes);
    for (std::int64_t i = 0; i < places; ++i) {
        const auto from = static_cast<std::uint64_t>((one.bytes - count) / (places - 1) * i);
        const auto size = static_cast<std::size_t>(count);
        const Result<std::size_t> read = file->read(one.offset + from, std::span(bytes).first(size));
        const Result<std::size_t> other_read =
            other_file->read(other.offset + from, std::span(other_bytes).first(size));
        if (!read || !other_read || *read != *other_read) return std::nullopt;
        if (bytes != other_bytes) return false;
    }
    return true;
}

// Whether the weights hold an output head of other numbers than their embedding: transformers leaves the two apart
// then, whatever the file says. Where what it says is disputed, one that stands alone is such a head as well.
bool holds_own_head(const Checkpoint& weights, const Family& family, bool disputed) {
    const CheckpointTensor* const head = held_as(Part::output_head, weights, family);
    if (!head) return false;
    const CheckpointTensor* const table = held_as(Part::token_embedding, weights, family);
    const std::optional<bool> copies = table ? are_copies(weights, *head, *table) : std::nullopt;
    return !copies.value_or(!disputed);
}

// A type has sizes of its own for what its file leaves out.
void note_sizes(nlohmann::json said, Opened& result) {
    while (!text_part(said).empty()) said = text_of(said, text_part(said));
    std::string assumed;
    for (const std::string& each : unsaid_fields(said)) assumed += (assumed.empty() ? "" : ", ") + each;
    if (!assumed.empty()) result.notes.push_back("Assumed, since the file does not say: " + assumed + ".");
}

// What older programs say of quantization in a file of its own, beside a configuration that says nothing of it.
struct QuantizationFile {
    const char* name;
    const char* part;  // of it; null: all
    const char* method;
};
constexpr std::array quantization_files{QuantizationFile{"hf_quant_config.json", "quantization", "modelopt"},
                                        QuantizationFile{"quantize_config.json", nullptr, "gptq"},
                                        QuantizationFile{"quant_config.json", nullptr, "awq"}};

// The same configuration with that; the file is added to those that were read.
Result<nlohmann::json> with_quantization(nlohmann::json config, const fs::path& path, std::vector<fs::path>& read) {
    constexpr const char* key = "quantization_config";
    if (!config.is_object() || config.contains(key) || path.extension() != ".json") return config;
    const fs::path directory = path.parent_path();
    for (const QuantizationFile& file : quantization_files) {
        if (!is_there(directory / file.name)) continue;
        Result<nlohmann::json> beside = read_config_file(directory / file.name);
        if (!beside) return beside.error();
        nlohmann::json said = file.part && beside->is_object() ? beside->value(file.part, nlohmann::json()) : *beside;
        if (!said.is_object()) continue;
        if (!said.contains("quant_method")) said["quant_method"] = file.method;
        config[key] = std::move(said);
        read.push_back(directory / file.name);
        break;
    }
    return config;
}

// A configuration, Meta's or Hugging Face's, and the weights beside it where there are some.
Result<Opened> open_configuration(const nlohmann::json& file, const fs::path& path, const Checkpoint* weights) {
    std::vector<fs::path> beside;
    const Result<nlohmann::json> whole = with_quantization(file, path, beside);
    if (!whole) return whole.error();
    const nlohmann::json& json = *whole;
    if (!is_params(json)) {
        Result<Architecture> arch = read_config(json, path.string());
        if (!arch) return arch.error();
        const bool disputed = disagrees_on_head(json);
        const bool own = weights && (disputed || arch->tied) && holds_own_head(*weights, *arch->family, disputed);
        const bool parted = own && arch->tied && !disputed;
        if (own) arch->tied = false;
        Opened result = opened(std::move(*arch), path);
        result.read.insert(result.read.end(), beside.begin(), beside.end());
        if (!result.architecture.family->verified) {
            std::vector<std::string> unknown = notes_on_unknown(json);
            result.notes.insert(result.notes.begin(), unknown.begin(), unknown.end());
        }
        if (result.architecture.family->verified) note_sizes(json, result);
        if (const std::string_view type = type_said(json);
            type != lower(type) && lower(type) == result.architecture.family->type)
            result.notes.push_back("model_type " + quote(type) + " is taken as " + lower(type) +
                                   ", as transformers writes it.");
        if (is_multimodal(json) && !result.architecture.whole && std::ranges::count(result.notes, only_text_note) == 0)
            result.notes.emplace_back(only_text_note);
        if (disputed) result.notes.push_back(note_on_head(result.architecture.tied, own));
        if (parted)
            result.notes.emplace_back(
                "The output head of these weights has other numbers than their embedding, and is counted as "
                "a matrix of its own.");
        return result;
    }
    Result<std::optional<std::int64_t>> vocab = tokenizer_size_beside(path.parent_path());
    if (!vocab) return vocab.error();
    Result<Architecture> arch = read_params(json, *vocab, path.string());
    if (!arch) return arch.error();
    Opened result = opened(std::move(*arch), path);
    result.read.insert(result.read.end(), {path.parent_path() / tokenizer_model, path.parent_path() / tokenizer_json});
    return result;
}

// The first of these that lies in the directory.
template <std::size_t N>
std::optional<fs::path> first_in(const fs::path& directory, const std::array<std::string_view, N>& names) {
    for (std::string_view name : names)
        if (is_there(directory / name)) return directory / name;
    return std::nullopt;
}

constexpr const char* guesses_key = "_headcount_guesses";
constexpr std::array<std::string_view, 2> configurations{"config.json", "params.json"};
constexpr std::array<std::string_view, 2> weights{"model.safetensors.index.json", "model.safetensors"};

void note_difference(const std::string& difference, Opened& opened) {
    keep_difference(difference, opened.architecture);
    opened.notes.push_back(note_on_weights(opened.architecture));
}

// Where the configuration is of other weights than those that lie beside it, its numbers are not theirs.
void compare_beside(const Checkpoint& weights, Opened& opened) {
    const bool all_is_counted =
        std::ranges::count(opened.notes, only_text_note) == 0 && unread_fields(opened.architecture).empty();
    const std::string difference = first_contradiction(weights, opened.architecture, all_is_counted);
    if (!difference.empty()) note_difference(difference, opened);
}

// What was concluded from the weights themselves is held against their tensors: of a kind that is not known only the
// very decoder that its fields look like is shown, of others what differs is said.
std::optional<Error> compare_with(const Checkpoint& weights, Opened& opened) {
    const std::string difference = first_difference(weights, opened.architecture);
    if (difference.empty()) return std::nullopt;
    if (!opened.architecture.family->verified)
        return Error{
            "models of the kind " + quote(weights.metadata.at("general.architecture").get<std::string>()) +
                " are not known, and the file's tensors are not those of a decoder with its fields: " + difference,
            "", "open the model's config.json instead"};
    note_difference(difference, opened);
    return std::nullopt;
}

// Weights, and the configuration that lies beside them; where there is none, what the weights themselves say.
Result<Opened> open_weights(const fs::path& path) {
    Result<Checkpoint> checkpoint = read_checkpoint(path);
    if (!checkpoint) return checkpoint.error();
    auto shared = std::make_shared<const Checkpoint>(std::move(*checkpoint));
    const bool says_all = is_gguf(*shared) || shared->format.starts_with("llama2.c");
    const std::optional<fs::path> beside = says_all ? std::nullopt : first_in(path.parent_path(), configurations);
    Result<Opened> result = Error{};
    if (beside) {
        Result<nlohmann::json> json = read_config_file(*beside);
        if (!json) return json.error();
        result = open_configuration(*json, *beside, shared.get());
    } else {
        Result<nlohmann::json> config = is_gguf(*shared) ? config_of_gguf(*shared) : config_of_tensors(*shared);
        if (!config) return within(path.string(), config.error());
        const nlohmann::json guesses = config->value(guesses_key, nlohmann::json::array());
        config->erase(guesses_key);
        result = open_configuration(*config, path, shared.get());
        if (result)
            for (const nlohmann::json& guess : guesses) result->notes.push_back(guess.get<std::string>());
    }
    if (!result) return result;
    if (beside)
        compare_beside(*shared, *result);
    else if (std::optional<Error> other = compare_with(*shared, *result))
        return within(path.string(), *std::move(other));
    result->read.push_back(path);
    result->read.insert(result->read.end(), shared->files.begin(), shared->files.end());
    const StoredFormats stored = stored_formats(*shared, result->architecture);
    // The weights may know what the configuration leaves open.
    for (const std::string& note : notes_on(stored_formats(result->architecture))) std::erase(result->notes, note);
    append(result->notes, notes_on(stored));
    result->precision = stored.weights;
    result->weights_doubt = stored.doubt;
    result->checkpoint = std::move(shared);
    return result;
}

// The first GGUF file of a directory by name, which of a split one is its first part.
std::optional<fs::path> gguf_in(const fs::path& directory) {
    std::optional<fs::path> first;
    std::error_code failure;
    for (fs::directory_iterator at(directory, failure), end; !failure && at != end; at.increment(failure))
        if (at->path().extension() == ".gguf" && (!first || at->path() < *first)) first = at->path();
    return first;
}

// The first shard that an index names and that is not there: people often have only the two small files of a model.
std::string missing_shard(const fs::path& index) {
    if (index.extension() != ".json") return "";
    const Result<std::string> text = read_text(index);
    const Result<ShardIndex> named = text ? parse_safetensors_index(*text, index.string()) : text.error();
    if (!named) return "";
    for (const std::string& shard : named->shards)
        if (!is_there(index.parent_path() / shard)) return shard;
    return "";
}

Result<Opened> open_directory(const fs::path& directory) {
    const std::optional<fs::path> file = first_in(directory, weights), config = first_in(directory, configurations);
    const std::string missing = file && config ? missing_shard(*file) : "";
    if (file && missing.empty()) return open_weights(*file);
    if (config) {
        const Result<nlohmann::json> json = read_config_file(*config);
        if (!json) return json.error();
        Result<Opened> result = open_configuration(*json, *config, nullptr);
        if (!result || !file) return result;
        result->notes.push_back("The weights were not read: there is no " + missing + ".");
        result->read.push_back(*file);
        return result;
    }
    if (const std::optional<fs::path> gguf = gguf_in(directory)) return open_weights(*gguf);
    return Error{"there is no config.json, params.json, model.safetensors, model.safetensors.index.json or .gguf",
                 directory.string(), "name the file itself"};
}

// JSON starts with a brace, after spaces at most, and has no zero bytes, which headers of weights begin with.
bool is_json(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 16> start{};
    file.read(start.data(), start.size());
    const std::string_view text(start.data(), static_cast<std::size_t>(file.gcount()));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool brace = first != std::string_view::npos && text[first] == '{';
    return (brace && text.find('\0') == std::string_view::npos) || path.extension() == ".json" ||
           path.extension() == ".headcount";
}

Result<Opened> open_json(const nlohmann::json& json, const fs::path& path) {
    if (std::optional<Error> other = other_kind(json, JsonKind::model, path.string())) return *std::move(other);
    if (json.contains("architecture")) return opened_saved_model(json, path);
    return open_configuration(json, path, nullptr);
}

}  // namespace

Result<Opened> open_text(std::string_view text, const fs::path& path) {
    const Result<nlohmann::json> json = parse_json(text, path.string());
    if (!json) return json.error();
    if (json->contains("weight_map"))
        return Error{"this lists weights that lie beside it", path.string(), "name the file itself"};
    return open_json(*json, path);
}

Result<Opened> open_architecture(std::string_view text, std::span<const Preset> presets) {
    const fs::path path(text);
    const bool there = is_there(path);
    // What lies here is meant before what a preset is called elsewhere, and a damaged preset before one of a longer
    // name.
    const Preset* preset = find_preset(presets, text);
    if (!preset && !there && !is_path(text) && !damaged_preset(text)) preset = preset_called(presets, text);
    if (preset)
        return Opened{preset->architecture, preset, nullptr, {}, quantized_formats(preset->architecture),
                      {preset->file}};
    if (!there) return unknown(text, presets);
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return open_directory(path);
    // To open a pipe is to wait for whoever writes into it.
    if (!fs::is_regular_file(path, ignored))
        return Error{"this is not a regular file", path.string(), "name a file that is stored on disk"};
    if (!is_json(path)) return open_weights(path);
    if (is_large_index(path)) return open_weights(path);
    Result<nlohmann::json> json = read_config_file(path);
    if (!json) return json.error();
    return json->contains("weight_map") ? open_weights(path) : open_json(*json, path);
}

}  // namespace headcount
