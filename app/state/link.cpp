// Reads and writes links: the fields of a state, with their objects taken apart.
#include "app/state/link.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

#include "app/state/link_fields.hpp"
#include "core/arch/validate.hpp"
#include "core/base/find.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/open.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;

constexpr std::string_view other_model = "with";

// What is shorter, or has another name on the command line, than in a saved document.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> own_names{{{"dtype", "precision"},
                                                                                  {"prompt", "run.prompt"},
                                                                                  {"prompt_ids", "run.ids"},
                                                                                  {"device", "costs.device"},
                                                                                  {"devices", "costs.devices"},
                                                                                  {"kv_dtype", "cache"},
                                                                                  {"phase", "costs.phase"},
                                                                                  {"full", "costs.full"}}};

// As links said it before.
constexpr std::pair<std::string_view, std::string_view> old_cache{"costs.cache", "cache"};
constexpr std::string_view old_training = "costs.training";  // the phase says it too

std::string path_of(std::string_view key) {
    for (const auto& [own, path] : own_names)
        if (own == key) return std::string(path);
    if (key == old_cache.first) return std::string(old_cache.second);
    return std::string(key);
}

std::string key_of(std::string_view path) {
    for (const auto& [own, saved] : own_names)
        if (saved == path) return std::string(own);
    return std::string(path);
}

// Of the saved objects what a link says by keys of its own, and a file, which it does not say.
constexpr std::array<std::string_view, 4> passed_over{"run.changes", "train.text_file", "what_if.tab",
                                                      "what_if.sweep.ranges"};

// By their paths in the saved object.
using Leaves = std::vector<std::pair<std::string, Json>>;

void take_apart(const nlohmann::ordered_json& json, const std::string& before, Leaves& leaves) {
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            take_apart(value, before + key + ".", leaves);
        else if (!contains(passed_over, before + key))
            leaves.emplace_back(before + key, value);
    }
}

Leaves leaves_of(const Linked& state) {
    Leaves leaves;
    take_apart(json_of(state), "", leaves);
    return leaves;
}

// With all that may be absent.
const std::map<std::string, Json>& every_leaf() {
    static const std::map<std::string, Json> all = [] {
        Linked full;
        full.sheet.seed = 0;
        full.view.run.position = 0;
        full.view.run.opens = false;
        full.document.input.cache = Precision::bf16;
        const Leaves leaves = leaves_of(full);
        return std::map<std::string, Json>(leaves.begin(), leaves.end());
    }();
    return all;
}

std::string text_of_leaf(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array())
        return listed(
            value, [](const Json& each) { return each.get<std::string>(); }, ",");
    return value.dump();
}

bool all_read(const std::string& text, const std::from_chars_result& read) {
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// Of the kind that `like` is; as text where it is none, for the field to refuse.
Json leaf_of(const std::string& text, const Json& like) {
    const char* const end = text.data() + text.size();
    if (like.is_boolean() && (text == "1" || text == "0")) return text == "1";
    if (like.is_array()) {
        Json all = Json::array();
        for (std::size_t start = 0; start <= text.size() && !text.empty();) {
            const std::size_t comma = std::min(text.find(',', start), text.size());
            all.push_back(text.substr(start, comma - start));
            start = comma + 1;
        }
        return all;
    }
    if (like.is_number_integer()) {
        if (std::uint64_t number = 0; all_read(text, std::from_chars(text.data(), end, number))) return number;
        if (const Result<std::int64_t> length = parse_length(text, "", 0)) return static_cast<std::uint64_t>(*length);
    }
    if (double number = 0; like.is_number_float() && all_read(text, read_real(text.data(), end, number))) return number;
    return text;
}

bool is_of_model(std::string_view key) {
    return key == link_model || key == other_model || is_field(key) ||
           (key.starts_with("with.") && is_field(key.substr(other_model.size() + 1)));
}

Error no_key(const std::string& key) {
    std::vector<std::string> all{std::string(link_model), std::string(other_model)};
    for (const auto& leaf : every_leaf()) all.push_back(key_of(leaf.first));
    for (const FieldInfo& field : fields()) all.emplace_back(field.key);
    const std::vector<std::string_view> known(all.begin(), all.end());
    return {quote(key) + " is no key of a link", "link", did_you_mean(key, known, "it was passed over")};
}

// What of the entries is no model, as the object that a walk reads.
Json object_of(const LinkEntries& entries, std::vector<Error>& wrong) {
    Json json = Json::object();
    for (const LinkEntry& entry : entries) {
        if (is_of_model(entry.key) || entry.key == "v" || entry.key == old_training) continue;
        const std::string path = path_of(entry.key);
        const auto leaf = every_leaf().find(path);
        if (leaf == every_leaf().end()) {
            wrong.push_back(no_key(entry.key));
            continue;
        }
        std::string pointer = "/" + path;
        std::ranges::replace(pointer, '.', '/');
        json[Json::json_pointer(pointer)] = leaf_of(entry.value, leaf->second);
    }
    return json;
}

// The entries `with` and `with.FIELD`, as those of a model of its own.
LinkEntries entries_of_other(const LinkEntries& entries) {
    LinkEntries other;
    for (const LinkEntry& entry : entries) {
        if (entry.key == other_model) other.push_back({std::string(link_model), entry.value});
        if (entry.key.starts_with("with.")) other.push_back({entry.key.substr(other_model.size() + 1), entry.value});
    }
    return other;
}

void read_other(const LinkEntries& entries, std::span<const Preset> presets, Document& document,
                std::vector<Error>& wrong) {
    const LinkEntries other = entries_of_other(entries);
    if (other.empty()) return;
    const Result<Document> read = model_of(other, presets);
    if (!read) return wrong.push_back(within("with", read.error()));
    document.with = Compared{read->architecture, read->base, read->preset, ""};
}

void read_fields(const LinkEntries& entries, Linked& state, std::vector<Error>& wrong) {
    const Json json = object_of(entries, wrong);
    Fields fields(json, &wrong);
    const Input usual = state.document.input;
    saved_fields(fields, state);
    if (const std::vector<Error> errors = validate(state.document.architecture, state.document.input);
        !errors.empty()) {
        wrong.push_back(errors.front());
        state.document.input = usual;
    }
}

// Why a model is only about known that the link opens as one that is known.
std::vector<std::string> doubt_lost(const Document& document, const Document& opened) {
    std::vector<std::string> lost;
    const auto lose = [&](std::string_view what, const std::string& doubt, const std::string& kept) {
        if (!doubt.empty() && kept.empty())
            lost.push_back("Not in the link: " + std::string(what) + " only about known: " + doubt +
                           (doubt.ends_with('.') ? "" : "."));
    };
    lose("that this model is", doubt_on(document), doubt_on(opened));
    const Formats& weights = document.input.precision;
    lose("that what its weights take is", doubt_on_weights(document.architecture, weights),
         doubt_on_weights(opened.architecture, weights));
    return lost;
}

// B as `with` and `with.FIELD`.
void add_other(const Compared& with, std::span<const Preset> presets, LinkEntries& entries,
               std::vector<std::string>& lost) {
    const Result<LinkEntries> other = model_entries(with.architecture, with.preset, presets);
    if (!other) return lost.push_back("The other model is not in the link: " + sentence(other.error()));
    const Result<Document> opened = model_of(*other, presets);
    if (opened && opened->input.precision != published_input(with.architecture, with.stored).precision)
        lost.emplace_back("How the other model's weights are stored is not in the link.");
    for (const LinkEntry& entry : *other)
        entries.push_back(
            {entry.key == link_model ? std::string(other_model) : std::string(other_model) + "." + entry.key,
             entry.value});
}

// Only a device that is another than at first is looked for.
void check_device(std::string& id, std::vector<Error>& wrong) {
    const std::string usual = CostsPlace{}.device;
    if (id == usual) return;
    const Result<KnownDevices> known = known_devices();
    const Result<Device> found = known ? named_device(*known, id) : known.error();
    if (found) return;
    wrong.push_back(within("device", found.error()));
    id = usual;
}

}  // namespace

bool is_look_key(std::string_view key) { return every_leaf().contains(path_of(key)); }

Result<ReadLink> read_link(std::string_view text, std::span<const Preset> presets) {
    const Result<LinkEntries> entries = parse_link(text);
    if (!entries) return entries.error();
    Result<Document> document = model_of(*entries, presets);
    if (!document) return document.error();
    ReadLink link{.state = {.document = *std::move(document), .view = {}, .select = {}, .at = {}, .sheet = {}}};
    std::vector<Error> wrong;
    for (const LinkEntry& entry : *entries) {
        link.themed |= entry.key == "theme";
        if (entry.key == "v")
            wrong.push_back({"it is of version " + shown(entry.value) + ", and this program reads version " +
                                 std::string(link_version),
                             "link", "what it knows was read"});
    }
    read_other(*entries, presets, link.state.document, wrong);
    read_fields(*entries, link.state, wrong);
    check_device(link.state.view.costs.device, wrong);
    for (const Error& error : wrong) link.lost.push_back(sentence(error));
    return link;
}

std::optional<Error> set_linked(Linked& state, const LinkEntry& entry) {
    std::vector<Error> wrong;
    Linked changed = state;
    read_fields({entry}, changed, wrong);
    if (!wrong.empty()) return wrong.front();
    state = std::move(changed);
    return std::nullopt;
}

Result<WrittenLink> write_link(const Linked& state, std::span<const Preset> presets) {
    const Document& document = state.document;
    Result<LinkEntries> entries = model_entries(document.architecture, document.preset, presets);
    if (!entries) return entries.error();
    WrittenLink link;
    const Result<Document> opened = model_of(*entries, presets);  // as the link opens
    if (opened) link.lost = doubt_lost(document, *opened);
    if (document.with) add_other(*document.with, presets, *entries, link.lost);
    Linked usual;
    usual.document.input = opened ? opened->input : published_input(document.architecture);
    const Leaves before = leaves_of(usual);
    LinkEntries looks;
    for (const auto& [path, value] : leaves_of(state)) {
        const auto same = std::ranges::find(before, path, &Leaves::value_type::first);
        if (same == before.end() || same->second != value) looks.push_back({key_of(path), text_of_leaf(value)});
    }
    const auto whole = [&] {
        LinkEntries all = *entries;
        all.insert(all.end(), looks.begin(), looks.end());
        return link_text(all);
    };
    for (link.text = whole(); link.text.size() > longest_link && !looks.empty(); link.text = whole()) {
        const auto longest =
            std::ranges::max_element(looks, {}, [](const LinkEntry& entry) { return link_text({entry}).size(); });
        link.lost.push_back("The link would be longer than " + grouped(longest_link) + " characters with its " +
                            longest->key + ", which is left out.");
        looks.erase(longest);
    }
    if (link.text.size() > longest_link)
        return Error{"this model has too many changes for a link", document.architecture.name,
                     "save it as a file (export -o model.headcount), and hand that on"};
    return link;
}

std::string sheet_address(std::string_view page, const std::string& worksheet, std::optional<std::uint64_t> seed) {
    const std::filesystem::path file = worksheet;
    const bool ships = !file.has_parent_path();
    LinkEntries entries{{"view", std::string(worksheet_view)}, {"chrome", "0"}};
    entries.push_back(ships ? LinkEntry{"sheet", worksheet}
                            : LinkEntry{"lesson", "lessons/" + file.filename().string()});
    if (seed) entries.push_back({"seed", std::to_string(*seed)});
    return std::string(page) + link_text(entries);
}

}  // namespace headcount
