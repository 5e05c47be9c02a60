// Writes the report's JSON.
#include "app/shell/ui_report.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/parts/complaints.hpp"
#include "app/state/model_in_view.hpp"
#include "app/state/run/next.hpp"
#include "core/base/write_file.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// The values in effect: numbers as numbers, choices and flags as the words in files.
Json fields_json(const Architecture& arch) {
    Json json = Json::object();
    for (const FieldInfo& field : fields()) {
        const std::string key(field.key);
        if (field.kind == FieldKind::number) {
            if (const auto number = field_number(arch, field.field)) json[key] = *number;
        } else if (const auto text = field_text(arch, field.field)) {
            json[key] = *text;
        }
    }
    return json;
}

Json input_json(const Input& input) {
    return {{"tokens", input.tokens},
            {"batch", input.batch},
            {"cached", input.cached},
            {"precision", info(input.precision).key}};
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
        if (error) json.push_back({{"field", key}, {"message", error->what + "."}});
    }
    return json;
}

Json subject_json(const Subject& subject) {
    return nothing(subject) ? Json() : Json(subject_key(subject));
}

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

// Null outside of the Claims view.
Json claim_json(const Session& session) {
    const FoundClaim found = find_claim(session.claims, session.view.claim);
    if (session.view.workspace != Workspace::claims || !found) return nullptr;
    const std::optional<std::size_t> step = session.view.claim.step;
    return {{"file", found.group->key},
            {"id", found.claim->id},
            {"verdict", verdict_key(found.checked->verdict)},
            {"recorded", verdict_key(found.claim->recorded)},
            {"computed", found.checked->computed.text},
            {"step", step ? Json(*step) : Json(nullptr)}};
}

// Null where nobody has looked.
Json costs_json(const Session& session) {
    const CostsPage& page = session.costs;
    if (!page.shown) return nullptr;
    const Costs& costs = *page.shown;
    const Memory& memory = costs.memory;
    return {{"device", costs.device.id},
            {"training", costs.of.place.training},
            {"phase", costs_phases[static_cast<std::size_t>(costs.of.place.phase)]},
            {"weights", memory.weights.bytes},
            {"kv_cache", memory.cache.bytes},
            {"kv_cache_per_token", memory.cache_per_token.bytes},
            {"activations", memory.activations.bytes},
            {"gradients", memory.gradients.bytes},
            {"optimizer", memory.optimizer.bytes},
            {"total", memory.total},
            {"on_device", memory.device.total},
            {"flops", costs.run.work.flops.counted()},
            {"flops_causal", costs.run.work.flops.causal},
            {"flops_full", costs.run.work.flops.full},
            {"bytes_moved", costs.run.work.bytes},
            {"wrong", page.wrong ? Json(sentence(*page.wrong)) : Json(nullptr)}};
}

// The model that the document is compared with, and what makes them differ; null outside of the Compare view.
Json compare_json(const Session& session) {
    const std::optional<Shown>& other = session.comparison.other;
    if (session.view.workspace != Workspace::compare || !other) return nullptr;
    const ComparePlace& place = session.view.compare;
    const Difference* const difference = session.comparison.difference.get();
    Json by_component = Json::object();
    if (difference)
        for (Component component : components)
            by_component[std::string(component_key(component))] = difference->of(component);
    return {{"name", other->document.architecture.name},
            {"preset", other->document.preset},
            {"chosen", session.document.with.has_value()},
            {"total", other->derived.shown.parameters.total},
            {"fields", fields_json(other->document.architecture)},
            {"possible", other->derived.current},
            {"difference", difference ? Json(difference->total) : Json()},
            {"by_component", by_component},
            {"split", compare_split_keys[static_cast<std::size_t>(place.split)]},
            {"tab", compare_tab_keys[static_cast<std::size_t>(place.tab)]}};
}

// What runs; null outside of the Run view.
Json run_json(const Session& session) {
    const RunSnapshot* const run = session.running.shown.get();
    const RunModel* const model = session.running.model.get();
    if (session.view.workspace != Workspace::run || !model) return nullptr;
    constexpr std::array<std::string_view, 4> phases{"idle", "loading", "reading", "ready"};
    const RunPlace& place = session.view.run;
    Json json{{"source", run_source_keys[static_cast<std::size_t>(place.source)]},
              {"model", model->architecture().name},
              {"wrong", model->wrong ? Json(sentence(*model->wrong)) : Json(nullptr)},
              {"memory", model->need.total()},
              {"layer", place.layer},
              {"head", place.head},
              {"speed", run_speed_keys[static_cast<std::size_t>(place.speed)]},
              {"phase", run ? Json(phases[static_cast<std::size_t>(run->phase)]) : Json(nullptr)}};
    if (!run) return json;
    json["error"] = run->error ? Json(sentence(*run->error)) : Json(nullptr);
    json["playing"] = run->playing;
    json["rested"] = run->rested;
    json["over"] = run->over;
    json["prompt_tokens"] = run->prompt;
    json["generated"] = run->generated;
    json["text"] = run->prompt_text + run->generated_text;
    json["layers_shown"] = run->layers_shown;
    json["ids"] = Json::array();
    for (const RunToken& token : run->tokens) json["ids"].push_back(token.id);
    const RunNext* const next = session.running.next.get();
    json["position"] = next ? Json(next->position) : Json(nullptr);
    json["likeliest"] =
        next && !next->distribution.candidates.empty() ? Json(next->distribution.candidates.front().id) : Json(nullptr);
    json["kept"] = next ? next->distribution.kept : 0;
    json["next"] = next && next->pick ? Json(*next->pick) : Json(nullptr);
    return json;
}

// What lies on the desk: how each blank of the question in sight stands, and how many fields of it are right.
Json worksheet_json(const Desk& desk) {
    const SheetQuestion* const question = desk.question();
    if (!question) return desk.problem.empty() ? Json() : Json{{"problem", desk.problem}};
    Json blanks = Json::object();
    for (const Blank& blank : question->blanks) {
        const AnsweredBlank& answered = desk.of(blank);
        Json fields = Json::object();
        for (const SheetField& field : answered.fields)
            fields[field.id] = Json{{"text", field.text}, {"mark", mark_key(field.mark)}};
        blanks[blank.id] = Json{{"fields", fields},
                                {"outcome", outcome_key(answered.grade.verdict)},
                                {"hint", answered.grade.hint},
                                {"shown", answered.shown}};
    }
    const Score score = desk.score(*question);
    return {{"id", desk.sheet->id},
            {"seed", desk.sheet->seed ? Json(*desk.sheet->seed) : Json()},
            {"student", desk.kept.student},
            {"question", desk.progress().question + 1},
            {"of_questions", desk.sheet->questions.size()},
            {"kind", kind_key(question->kind)},
            {"blanks", blanks},
            {"right", score.right},
            {"of", score.of},
            {"key", desk.kept.key}};
}

double tenths(float pixels) {
    return std::round(static_cast<double>(pixels) * 10) / 10;
}

// A name that occurs more than once (a factor in several lines of a formula) stands for the first, which is the
// highest.
Json rects_json(const Recorder& recorder) {
    Json json = Json::object();
    for (const NamedRect& rect : recorder.all())
        json.emplace(rect.name, Json{tenths(rect.min.x), tenths(rect.min.y), tenths(rect.max.x), tenths(rect.max.y)});
    return json;
}

}  // namespace

std::string ui_report(const Session& session, const Recorder& recorder, const UiMemory& memory,
                      const SeenInput& input) {
    const View& view = session.view;
    Json messages = Json::array();
    if (!view.notice.empty()) messages.push_back(view.notice);
    const Json json{
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
        {"workspace", workspace_keys[static_cast<std::size_t>(view.workspace)]},
        {"worksheet", worksheet_json(session.desk)},
        {"selection", subject_json(session.look.selection)},
        {"selected_copy", copies_json(session.look.selection)},
        {"hover", subject_json(session.look.hover)},
        {"canvas", canvas_json(session.look, view)},
        {"beside", beside_json(session)},
        {"compare", compare_json(session)},
        {"claim", claim_json(session)},
        {"costs", costs_json(session)},
        {"run", run_json(session)},
        {"theme", view.theme == ThemeChoice::dark ? "dark" : "light"},
        {"scale", tenths(view.scale * 10) / 10},
        {"help", view.help},
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
