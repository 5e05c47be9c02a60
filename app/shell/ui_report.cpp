// Writes the report's JSON.
#include "app/shell/ui_report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/parts/complaints.hpp"
#include "app/parts/fields_json.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "app/state/open_link.hpp"
#include "core/base/text.hpp"
#include "core/base/write_file.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

Json input_json(const Input& input) {
    return {{"tokens", input.tokens},
            {"source", input.source},
            {"batch", input.batch},
            {"cached", input.cached},
            {"precision", formats_text(input.precision)},
            {"cache", precision_text(input.cached_in())}};
}

Json effects_json(const Derived& derived) {
    Json json = Json::object();
    for (const auto& [field, effect] : derived.effects) json[std::string(info(field).key)] = effect;
    return json;
}

// What is said beside the rows: what is impossible, and what was typed and cannot be read.
Json errors_json(const Session& session, const Recorder& recorder, const UiMemory& memory) {
    Json json = Json::array();
    for (const Complaint& complaint : complaints(session)) {
        std::string_view field;
        if (complaint.field) field = info(*complaint.field).key;
        if (complaint.input) field = input_key(*complaint.input);
        json.push_back({{"field", field}, {"message", complaint.sentence}});
    }
    for (const UiMemory::Rejected& rejected : memory.rejected) {
        if (!recorder.find(rejected.row + ".error")) continue;
        const std::string_view key = std::string_view(rejected.row).substr(rejected.row.find('.') + 1);
        const std::optional<Error> error = refusal(session.document, key, rejected.text);
        if (error) json.push_back({{"field", key}, {"message", sentence_of(*error)}});
    }
    return json;
}

Json subject_json(const Subject& subject) { return nothing(subject) ? Json() : Json(subject_key(subject)); }

// Which copy of a tensor is selected, as far as one is.
Json copies_json(const Subject& subject) {
    const Copies copies = copies_of(subject);
    Json json = Json::object();
    for (const auto& [key, copy] : {std::pair{"layer", copies.layer}, {"head", copies.head}, {"expert", copies.expert}})
        if (copy) json[key] = *copy;
    return json;
}

Json canvas_json(const Look& look, const View& view) {
    return {{"place", look.here.id},
            {"copy", look.here.copy},
            {"tilted", look.tilted},
            {"log_sides", look.log_sides},
            {"reduced_motion", view.reduced_motion}};
}

// Null where no tour runs.
Json tour_json(const Session& session) {
    if (!current_step(session)) return Json();
    const Show& show = session.view.show;
    const StepWords& words = session.run->words;
    return {{"id", show.tour},           {"step", show.step + 1}, {"steps", session.run->tour.steps.size()},
            {"revealed", show.revealed}, {"title", words.title},  {"caption", words.caption},
            {"ask", words.ask},          {"answer", words.answer}};
}

// The diagram beside a lesson; null where the diagram is the user's own.
Json beside_json(const Session& session) {
    if (!shows_another(session)) return nullptr;
    const Shown& shown = model_in_view(session);
    return {{"name", shown.document.architecture.name},
            {"selection", subject_json(shown.look.selection)},
            {"selected_copy", copies_json(shown.look.selection)},
            {"asked_for", shown.look.asked_for.id},
            {"canvas", canvas_json(shown.look, session.view)}};
}

// While it is shown, and for a page around this one.
Json link_json(const Session& session) {
    if (!session.view.sharing && session.view.chrome) return nullptr;
    const Result<WrittenLink> link = link_of(session);
    return link ? Json(session.view.page + link->text) : Json();
}

double tenths(float pixels) { return std::round(static_cast<double>(pixels) * 10) / 10; }

// A name that occurs more than once (a factor in several lines of a formula) stands for the first, which is the
// highest.
Json manual_json(const std::optional<ManualPlace>& open) {
    if (!open) return {};
    const auto* address = std::get_if<std::string>(&*open);
    return address ? *address : "";
}

Json rects_json(const Recorder& recorder) {
    Json json = Json::object();
    for (const NamedRect& rect : recorder.all())
        json.emplace(rect.name, Json{tenths(rect.min.x), tenths(rect.min.y), tenths(rect.max.x), tenths(rect.max.y)});
    return json;
}

}  // namespace

std::string ui_report(const Session& session, const Recorder& recorder, const UiMemory& memory, const SeenInput& input,
                      const Views& views) {
    const View& view = session.view;
    Json messages = Json::array();
    if (!view.notice.text.empty()) messages.push_back(view.notice.text);
    Json json{
        {"name", session.document.architecture.name},
        {"preset", session.document.preset},
        {"file", session.document.file},
        {"total", session.derived.shown.parameters.total},
        {"fields", fields_json(session.document.architecture)},
        {"inputs", input_json(session.document.input)},
        {"effects", effects_json(session.derived)},
        {"errors", errors_json(session, recorder, memory)},
        {"messages", messages},
        {"notes", session.notes},
        {"workspace", view.workspace},
        {"selection", subject_json(session.look.selection)},
        {"selected_copy", copies_json(session.look.selection)},
        {"hover", subject_json(session.look.hover)},
        {"canvas", canvas_json(session.look, view)},
        {"beside", beside_json(session)},
        {"theme", word_of(theme_keys, view.theme)},
        {"scale", tenths(view.scale * 10) / 10},
        {"help", manual_json(view.manual)},
        {"link", link_json(session)},
        {"chrome", view.chrome},
        {"presenting", view.show.presenting},
        {"tour", tour_json(session)},
        {"can_undo", session.history.can_undo()},
        {"can_redo", session.history.can_redo()},
        {"moving", memory.animating},
        {"rests", input.rests},
        {"input", input.events},
        {"mouse", {tenths(input.mouse.x), tenths(input.mouse.y)}},
        {"mouse_down", input.mouse_down},
        {"rects", rects_json(recorder)},
    };
    for (const ViewKind& kind : views.kinds)
        if (kind.report) kind.report(session, json);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<bool> UiReporter::update(const Session& session, const Recorder& recorder, const UiMemory& memory,
                                const SeenInput& input) {
    std::string text = ui_report(session, recorder, memory, input);
    if (text == written_) return false;
    const auto done = write_text(file_, text);
    if (!done) return within("--report-ui", done.error());
    written_ = std::move(text);
    return true;
}

}  // namespace headcount
