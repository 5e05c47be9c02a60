// Saving the document and the view, and restoring them at the next start.
#include "app/state/storage.hpp"

#include <cstdlib>
#include <utility>

#include "app/state/kept_file.hpp"
#include "app/state/saved_fields.hpp"
#include "core/base/json_file.hpp"
#include "core/files/architecture_json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

Result<Architecture> architecture_at(const Json& json, const char* key) {
    auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return Error{"there is no architecture", key, ""};
    Json saved = *found;
    // A vocabulary that a params.json leaves open is 0, which no field can be given.
    const Json::json_pointer vocab("/fields/vocab");
    const bool open = saved.contains(vocab) && saved[vocab] == "0";
    if (open) saved[vocab] = "1";
    Result<Architecture> arch = architecture_from_json(saved);
    if (!arch) return within(key, arch.error());
    if (open) arch->vocab = 0;
    return arch;
}

// A model with what it came from. The base must be possible.
Result<Compared> model_from(const Json& json, const std::string& where) {
    Result<Architecture> base = architecture_at(json, "base");
    if (!base) return within(where, base.error());
    if (Result<Counted> counted = count(*base, Input{.tokens = 1}); !counted)
        return within(where + ", base", counted.error());
    Result<Architecture> architecture = architecture_at(json, "architecture");
    if (!architecture) return within(where, architecture.error());
    Compared model{std::move(*architecture), std::move(*base), "", ""};
    Fields fields(json);
    fields.text("preset", model.preset);
    fields.text("file", model.file);
    saved_stored(fields, model.stored);
    return model;
}

// What was chosen to compare with; nothing where nothing was.
Result<std::optional<Compared>> compared_from(const Json& json) {
    const auto found = json.find("compare");
    if (found == json.end() || found->is_null()) return std::optional<Compared>();
    if (!found->is_object()) return Error{"it is no model", "compare", ""};
    Result<Compared> model = model_from(*found, "compare");
    return model ? Result<std::optional<Compared>>(std::move(*model)) : model.error();
}

Ordered model_json(const Compared& model) {
    Ordered json{{"preset", model.preset}, {"file", model.file}};
    if (model.stored) json["stored"] = formats_text(*model.stored);
    json["architecture"] = architecture_to_json(model.architecture);
    json["base"] = architecture_to_json(model.base);
    return json;
}

// Without the model to compare with where that alone is damaged: the rest is what the user works on.
Result<Saved> saved_from_json(const Json& json, std::string_view where) {
    Result<Compared> model = model_from(json, std::string(where));
    if (!model) return model.error();
    Result<std::optional<Compared>> with = compared_from(json);
    Saved saved{{std::move(model->architecture),
                 std::move(model->base),
                 std::move(model->preset),
                 {},
                 std::move(model->file),
                 std::move(model->stored),
                 with ? std::move(*with) : std::nullopt}};
    if (!with) saved.lost = sentence(within(std::string(where), with.error()));
    SavedView seen;
    Fields fields(json);
    fields.object("input", saved.document.input);
    fields.object("view", seen);
    // It stood there once.
    if (!saved.document.input.cache)
        fields.inside("view", [&](Fields& view) {
            view.inside("costs", [&](Fields& costs) { saved_cache(costs, saved.document.input); });
        });
    fields.object("worksheets", saved.desk);
    saved.view = std::move(seen.view);
    saved.selection = std::move(seen.selection);
    return saved;
}

}  // namespace

Ordered saved_json(const Saved& saved) {
    const Document& document = saved.document;
    Ordered json;
    json["headcount"] = 1;
    json.update(model_json({document.architecture, document.base, document.preset, document.file, document.stored}));
    json["compare"] = document.with ? model_json(*document.with) : Ordered();
    json["input"] = json_of(document.input);
    json["view"] = json_of(SavedView{saved.view, saved.selection});
    json["worksheets"] = json_of(saved.desk);
    return json;
}

std::string text_of(const Ordered& saved) {
    return saved.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

std::string saved_text(const Saved& saved) { return text_of(saved_json(saved)); }

Result<Saved> saved_from_text(std::string_view text, std::string_view where) {
    const Result<Json> json = parse_json(text, where);
    return json ? saved_from_json(*json, where) : Result<Saved>(json.error());
}

Result<std::filesystem::path> state_file() {
    // Read once at the start, before there are threads.
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    if (state && *state) return std::filesystem::path(state) / "headcount" / "document.json";
    if (home && *home) return std::filesystem::path(home) / ".local" / "state" / "headcount" / "document.json";
    return Error{"there is no place to save the document", "HOME", "set HOME or XDG_STATE_HOME"};
}

std::filesystem::path free_name(const std::filesystem::path& file, const std::string& word) {
    const std::string stem = (file.parent_path() / file.stem()).string() + "." + word;
    std::filesystem::path name = stem + ".json";
    std::error_code ignored;
    for (int i = 2; std::filesystem::exists(name, ignored); ++i) name = stem + "-" + std::to_string(i) + ".json";
    return name;
}

Restored restore(const std::filesystem::path& file, int window) {
    std::error_code failure;
    if (!std::filesystem::exists(file, failure)) return {};
    const Result<Json> there = read_json(file);
    Result<Saved> saved =
        there ? saved_from_json(seen_by(*there, window, open_beside(file, *there, window)), file.string())
              : there.error();
    if (saved && saved->lost.empty()) return {std::move(*saved), ""};
    const std::filesystem::path aside = free_name(file, "damaged");
    // What can be read of it is written again; and other windows' documents stay where they are.
    if (saved || (there && there->contains("windows")))
        std::filesystem::copy_file(file, aside, failure);
    else
        std::filesystem::rename(file, aside, failure);
    const std::string kept = failure ? "It could not be set aside: " + failure.message() + "."
                                     : "It was set aside as " + aside.string() + ".";
    if (!saved)
        return {std::nullopt, "The saved document could not be read (" + sentence(saved.error()) + "). " + kept};
    const std::string notice = "The model to compare with could not be restored (" + saved->lost + ").";
    return {std::move(*saved), notice + " " + kept};
}

}  // namespace headcount
