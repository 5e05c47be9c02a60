// Works a tour out: every text filled in, every place and selection one that the architecture has.
#include "core/tours/tour.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/arch/fields.hpp"
#include "core/base/utf8.hpp"
#include "core/experiment/heads.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

constexpr std::string_view own_model = "own", component_prefix = "component.", field_prefix = "field.";

bool has(const ModelGraph& graph, std::string_view id) {
    return graph.find(id) || (!id.empty() && graph.find_block(id));
}

// What the architecture has in a field; nothing where there is no such field, or what it is of is not there.
std::optional<std::string> in_field(const CountedModel& model, std::string_view key) {
    const auto field = std::ranges::find(fields(), key, &FieldInfo::key);
    return field == fields().end() ? std::nullopt : field_text(model.architecture, field->field);
}

bool has_subject(const CountedModel& model, std::string_view key) {
    if (key.empty() || key == "total" || key.starts_with(component_prefix)) return true;
    if (!key.starts_with(field_prefix)) return model.graph.find(key) != nullptr;
    return in_field(model, key.substr(field_prefix.size())).has_value();
}

// Why the step cannot be shown with this model; nothing where it can.
std::optional<std::string> missing(const TourStep& step, const std::string& at, const CountedModel& model) {
    const auto lacks = [&](std::string_view id) { return model.architecture.name + " has no " + std::string(id); };
    if (!at.empty() && !has(model.graph, at)) return lacks(at);
    if (!has_subject(model, step.select)) return lacks(step.select);
    for (const std::string& id : step.light)
        if (!id.starts_with(component_prefix) && !has(model.graph, id)) return lacks(id);
    return std::nullopt;
}

// Whether its own conditions pass the step over. A switch is there where it is on.
bool passed_over(const TourStep& step, const CountedModel& model) {
    const auto there = [&](const std::string& id) {
        if (!id.starts_with(field_prefix)) return has(model.graph, id);
        return in_field(model, id.substr(field_prefix.size())).value_or("false") != "false";
    };
    return !std::ranges::all_of(step.needs, there) || std::ranges::any_of(step.unless, there);
}

// The copy that there is: of 12 heads, head 20 is the last one.
std::int64_t copy_there(const std::string& at, std::int64_t copy, const CountedModel& model) {
    const Block* block = at.empty() ? nullptr : model.graph.find_block(at);
    if (!block) return copy;
    const auto count = evaluate(block->repeat, model.bindings);
    return count ? std::clamp<std::int64_t>(copy, 0, std::max<std::int64_t>(*count - 1, 0)) : 0;
}

// What was measured of the heads of the model that ships, by the text that they read.
using Measured = std::map<std::string, Result<std::vector<HeadFound>>>;

Result<HeadFound> found_head(const RunLook& look, Measured& measured) {
    const auto [of, fresh] = measured.try_emplace(look.prompt, std::vector<HeadFound>{});
    if (fresh) of->second = find_shipped_heads(look.prompt);
    if (!of->second) return of->second.error();
    for (const HeadFound& each : *of->second)
        if (each.role == look.looks_at) return each;
    return Error{
        "no head looks at " + std::string(info(*look.looks_at)) + " much more than at other places in this text",
        "run.looks_at", "give another prompt"};
}

Result<StepWords> filled_words(const TourStep& step, const CountedModel& model, std::string_view called,
                               std::span<const Preset> presets, Measured& measured) {
    StepWords words;
    for (auto [text, key, into] : {std::tuple(&step.title, "title", &words.title),
                                   {&step.caption, "caption", &words.caption},
                                   {&step.ask, "ask", &words.ask},
                                   {&step.answer, "answer", &words.answer}}) {
        Result<std::string> filled = filled_text(*text, model, presets, called);
        if (!filled) return within(key, filled.error());
        *into = std::move(*filled);
    }
    if (!step.run || !step.run->looks_at) return words;
    const Result<HeadFound> head = found_head(*step.run, measured);
    if (!head) return head.error();
    std::string& said = words.answer.empty() ? words.caption : words.answer;
    said += (said.empty() ? "" : " ") + sentence_on(*head);
    return words;
}

// What the steps so far have made of the model, and where they have gone.
struct Standing {
    Architecture architecture;
    std::string preset;
    Input input;
    std::string at;
    std::int64_t copy = 0;
};

class Worker {
  public:
    Worker(const Tour& tour, std::span<const Preset> presets, const Architecture& own, const Input& input,
           std::string_view called)
        : tour_(tour),
          presets_(presets),
          called_(called),
          now_{own, "", tour.input.value_or(input), "", 0},
          begun_(now_) {}

    Result<WorkedTour> work() {
        if (tour_.preset) {
            const Result<const Preset*> preset = preset_named(presets_, *tour_.preset, "preset");
            if (!preset) return preset.error();
            now_.architecture = (*preset)->architecture;
            now_.preset = (*preset)->id;
            called_ = {};
            begun_ = now_;
        }
        WorkedTour made{tour_.id, tour_.title, tour_.about, {}, {}};
        for (std::size_t i = 0; i < tour_.steps.size(); ++i)
            if (const auto wrong = work_step(i, made)) return *wrong;
        if (made.steps.empty())
            return Error{"no step of " + quote(tour_.title) + " makes sense for " + begun_.architecture.name, "steps",
                         made.notes.empty() ? "load another model" : made.notes.front()};
        return made;
    }

  private:
    // An error is one of the file; what the architecture lacks is a note.
    std::optional<Error> work_step(std::size_t index, WorkedTour& made) {
        const TourStep& step = tour_.steps[index];
        const std::string path = "steps[" + std::to_string(index) + "]";
        const auto note = [&](const std::string& why) {
            const std::string name = step.title.find('{') == std::string::npos ? quote(step.title) : path;
            made.notes.push_back(name + " is left out: " + why);
        };
        Standing then = now_;
        if (step.preset && *step.preset == own_model) {
            then.architecture = begun_.architecture;
            then.preset = begun_.preset;
        } else if (step.preset) {
            const Result<const Preset*> preset = preset_named(presets_, *step.preset, path + ".preset");
            if (!preset) return preset.error();
            then.architecture = (*preset)->architecture;
            then.preset = (*preset)->id;
        }
        for (const auto& [key, text] : step.set) {
            Result<Architecture> changed = with_field(std::move(then.architecture), key, text);
            if (!changed) {
                note(sentence(changed.error()));
                return std::nullopt;
            }
            then.architecture = std::move(*changed);
        }
        if (!step.with.empty())
            if (const auto with = preset_named(presets_, step.with, path + ".with"); !with) return with.error();
        then.input = step.input.value_or(then.input);
        if (step.at) {
            then.at = *step.at;
            then.copy = step.copy;
        }
        const Result<CountedModelPtr> model = counted_model(then.architecture, then.input);
        if (!model) {
            note(sentence(model.error()));
            return std::nullopt;
        }
        if (passed_over(step, **model)) return std::nullopt;
        // A place that was only kept from the step before may have gone with another model.
        if (!step.at && !then.at.empty() && !has((*model)->graph, then.at)) then.at.clear();
        if (const auto why = missing(step, then.at, **model)) {
            note(*why);
            return std::nullopt;
        }
        Result<StepWords> words = filled_words(
            step, **model, then.preset == begun_.preset ? called_ : std::string_view(), presets_, measured_);
        if (!words) {
            note(sentence(words.error()));
            return std::nullopt;
        }
        std::optional<RunLook> run = step.run;
        if (run && run->looks_at) {
            const HeadFound head = *found_head(*run, measured_);
            run->layer = head.layer;
            run->head = head.head;
        }
        made.steps.push_back({index, std::move(words->title), std::move(words->caption), std::move(words->ask),
                              std::move(words->answer), then.at, copy_there(then.at, then.copy, **model), step.select,
                              step.light, then.preset, then.architecture, then.input, std::move(run), step.train,
                              step.view, step.with});
        now_ = std::move(then);
        return std::nullopt;
    }

    const Tour& tour_;
    std::span<const Preset> presets_;
    std::string_view called_;
    Standing now_, begun_;
    Measured measured_;
};

}  // namespace

Result<WorkedTour> make_tour(const Tour& tour, std::span<const Preset> presets, const Architecture& own,
                             const Input& input, std::string_view called) {
    return Worker(tour, presets, own, input, called).work();
}

Result<StepWords> words_for(const TourStep& step, const Architecture& arch, const Input& input,
                            std::span<const Preset> presets, std::string_view called) {
    const Result<CountedModelPtr> model = counted_model(arch, input);
    if (!model) return model.error();
    Measured measured;
    return filled_words(step, **model, called, presets, measured);
}

}  // namespace headcount
