// Reads and writes links: the fields of a state, walked as those of a saved document are, with their objects taken
// apart.
#include "app/state/link.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "app/state/saved_fields.hpp"
#include "core/analysis/sweep.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;

constexpr std::string_view other_model = "with";
constexpr std::array<std::string_view, 2> theme_words{"dark", "light"};
constexpr std::array<std::string_view, 10> view_words{
    "explore",       "compare",      "costs", "run", "worksheet", "claims", "what-if:sweep", "what-if:sensitivity",
    "what-if:solve", "what-if:shelf"};
constexpr std::size_t longest_text = longest_link, most_texts = 100;

// What is shorter, or has another name on the command line, than in a saved document.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> own_names{{{"dtype", "precision"},
                                                                                  {"prompt", "run.prompt"},
                                                                                  {"prompt_ids", "run.ids"},
                                                                                  {"device", "costs.device"},
                                                                                  {"devices", "costs.devices"},
                                                                                  {"kv_dtype", "costs.cache"},
                                                                                  {"phase", "costs.phase"},
                                                                                  {"full", "costs.full"}}};

std::string path_of(std::string_view key) {
    for (const auto& [own, path] : own_names)
        if (own == key) return std::string(path);
    return std::string(key);
}

std::string key_of(std::string_view path) {
    for (const auto& [own, saved] : own_names)
        if (saved == path) return std::string(own);
    return std::string(path);
}

void linked_view(Fields& saved, View& view) {
    constexpr std::size_t first_tab = view_words.size() - what_if_tab_keys.size();
    std::size_t place = first_tab + static_cast<std::size_t>(view.what_if.tab);
    if (view.workspace != what_if_view)
        place = static_cast<std::size_t>(std::ranges::find(view_words, view.workspace) - view_words.begin());
    if (place >= view_words.size() || !saved.choice("view", place, view_words)) return;
    view.workspace = place < first_tab ? view_words[place] : what_if_view;
    if (place >= first_tab) view.what_if.tab = static_cast<WhatIfTab>(place - first_tab);
}

// Counted from 1, as people count steps and questions.
void counted(Fields& saved, const std::string& key, std::size_t& from_0) {
    std::size_t from_1 = from_0 + 1;
    if (saved.whole(key, from_1, 1)) from_0 = from_1 - 1;
}

// Those that are on, by their kinds, in the order in which a run takes them.
void linked_changes(Fields& saved, std::vector<RunChange>& changes) {
    std::vector<RunChange> all;
    for (const Change::Kind kind : {Change::Kind::patch, Change::Kind::scale, Change::Kind::off}) {
        std::vector<std::string> texts;
        for (const RunChange& each : changes)
            if (each.on && each.change.kind == kind)
                texts.push_back(place_text(each.change.place) +
                                (kind == Change::Kind::scale ? "=" + factor_text(each.change.factor) : ""));
        // "patch" is a field.
        const std::string key(kind == Change::Kind::patch ? "patched" : headcount::key(kind));
        saved.texts(key, texts, most_changes);
        for (const std::string& text : texts) {
            Result<Change> change = parse_change(kind == Change::Kind::patch ? Change::Kind::off : kind, text);
            if (!change) {
                saved.refuse(key, sentence(change.error()));
                continue;
            }
            change->kind = kind;
            all.push_back({*std::move(change), true});
        }
    }
    if (!saved.writes() && all.size() <= most_changes) changes = std::move(all);
}

// The head that somebody has chosen; where nobody has, the view finds one.
void linked_head(Fields& saved, RunPlace& run) {
    std::optional<std::int64_t> layer, head;
    if (!run.opens) layer = run.layer, head = run.head;
    saved.maybe(layer, [&](std::int64_t& number) { return saved.whole("layer", number, 0); });
    saved.maybe(head, [&](std::int64_t& number) { return saved.whole("head", number, 0); });
    run.opens = !layer && !head;
    if (run.opens) return;
    run.layer = layer.value_or(0);
    run.head = head.value_or(0);
}

void linked_ranges(Fields& saved, std::vector<ValueRange>& ranges) {
    std::vector<std::string> texts;
    for (const ValueRange& each : ranges) texts.push_back(std::string(each.key()) + "=" + range_text(each));
    saved.texts("vary", texts, most_ranges);
    if (saved.writes()) return;
    ranges.clear();
    for (const std::string& text : texts)
        if (const Result<ValueRange> range = parse_range(text))
            ranges.push_back(*range);
        else
            saved.refuse("vary", sentence(range.error()));
}

void linked_hidden(Fields& saved, std::vector<Subject>& hidden) {
    std::vector<std::string> keys;
    for (const Subject& each : hidden)
        if (std::string key = subject_key(each); !key.empty()) keys.push_back(std::move(key));
    saved.texts("hide", keys, most_texts);
    hidden.clear();
    for (const std::string& key : keys)
        if (const Subject subject = subject_from_key(key); !nothing(subject)) hidden.push_back(subject);
}

}  // namespace

// Every key of a link but those of the models, once.
static void saved_fields(Fields& saved, Linked& state) {
    View& view = state.view;
    saved_fields(saved, state.document.input);
    linked_view(saved, view);
    saved.text("at", state.at, longest_text);
    saved.text("select", state.select, longest_text);
    saved.flag("tilt", state.tilted);
    saved.flag("log", state.log_sides);
    linked_hidden(saved, view.hidden);
    saved.choice("theme", view.theme, theme_words);
    saved.flag("present", view.show.presenting);
    saved.text("tour", view.show.tour, longest_text);
    counted(saved, "step", view.show.step);
    saved.text("claim", view.claim.claim, longest_text);
    saved.text("sheet", state.sheet.worksheet, longest_text);
    saved.maybe(state.sheet.seed, [&](std::uint64_t& seed) { return saved.seed("seed", seed); });
    counted(saved, "question", state.sheet.question);
    saved.choice("tab", view.bottom_tab, bottom_tab_keys);
    saved.choice("breakdown", view.breakdown, breakdown_chart_keys);
    linked_changes(saved, view.run.experiments.changes);
    linked_head(saved, view.run);
    saved.maybe(view.run.position, [&](std::int64_t& position) { return saved.whole("token", position, 0); });
    linked_ranges(saved, view.what_if.sweep.ranges);
    saved.object("compare", view.compare);
    saved.object("costs", view.costs);
    saved.object("run", view.run);
    saved.object("what_if", view.what_if);
}

namespace {

// By their paths in the saved object, less lists of objects.
using Leaves = std::vector<std::pair<std::string, Json>>;

void take_apart(const nlohmann::ordered_json& json, const std::string& before, Leaves& leaves) {
    for (const auto& [key, value] : json.items()) {
        const bool objects = value.is_array() && key == "changes";
        if (value.is_object())
            take_apart(value, before + key + ".", leaves);
        else if (!objects && before + key != "what_if.tab" && before + key != "what_if.sweep.ranges")
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
        full.view.costs.cache = Precision::bf16;
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

template <class Number>
bool whole_text_is(const std::string& text, Number& number) {
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, number);
    return failure == std::errc() && stop == end;
}

// Of the kind that `like` is; as text where it is none, for the field to refuse.
Json leaf_of(const std::string& text, const Json& like) {
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
        if (std::uint64_t number = 0; whole_text_is(text, number)) return number;
        if (const Result<std::int64_t> length = parse_length(text, "", 0)) return static_cast<std::uint64_t>(*length);
    }
    if (double number = 0; like.is_number_float() && whole_text_is(text, number)) return number;
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
        if (is_of_model(entry.key) || entry.key == "v") continue;
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

}  // namespace

bool is_look_key(std::string_view key) {
    return every_leaf().contains(path_of(key));
}

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
    if (document.with) {
        const Result<LinkEntries> other = model_entries(document.with->architecture, document.with->preset, presets);
        if (!other) link.lost.push_back("The other model is not in the link: " + sentence(other.error()));
        if (other)
            for (const LinkEntry& entry : *other)
                entries->push_back(
                    {entry.key == link_model ? std::string(other_model) : std::string(other_model) + "." + entry.key,
                     entry.value});
    }
    Linked usual;
    usual.document.input = first_input(document.architecture);
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

}  // namespace headcount
