// Keeps the worker at what the view asks for, and takes over what it hands out.
#include "app/state/train/page.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/state/overloaded.hpp"
#include "app/state/session.hpp"
#include "app/state/storage.hpp"
#include "app/state/train/runner.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/files/assets.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {
namespace {

// Bytes of a text: it is compared once a frame.
constexpr std::uintmax_t most_text = 4 << 20;
constexpr std::int64_t most_light = 2'000'000;  // parameters: first weights are made as soon as they are looked at

// Read where it is another. Nothing where the program's assets are not there.
void read_small_model(TrainPage& page, TrainSource source, std::span<const Preset> presets) {
    if (std::exchange(page.small_of, source) == source && page.small) return;
    page.small.reset();
    const std::string folder = or_shipped_model(std::string(small_model(source)));
    const Result<Opened> opened = open_architecture(folder, presets);
    if (!opened) return;
    if (Result<Document> document = document_of(*opened, folder, Input{})) page.small = std::move(*document);
}

// What the window says of the model is said of the one that learns: with the vocabulary and the context of its task.
// While there is no task, a small one stays what it is by itself.
void draw_model(TrainPage& page, bool small) {
    page.drawn.reset();
    const Result<Task> task = Task::make(page.asked.settings.task);
    const Result<Architecture> fitted =
        task ? architecture_for(page.asked.architecture, *task) : Result<Architecture>(task.error());
    if (!fitted && !small) return;
    const Architecture& arch = fitted ? *fitted : page.asked.architecture;
    Result<Document> document = document_of(arch, first_input(arch));
    if (!document) return;
    page.drawn = newly_shown(std::move(*document));
    if (fitted) page.drawn->unit = "in " + task_title(page.asked.settings.task);
}

// Nothing of one that ended, or is not there.
std::optional<std::int64_t> steps_of(const std::shared_ptr<TrainRunner>& runner, const TrainSnapshot* shown) {
    if (!runner || (shown && shown->error)) return std::nullopt;
    return shown ? std::ssize(shown->history) : 0;
}

// Calls act(runner) of each that is not ahead of the other, and rest(runner) of one that is.
template <class Act, class Wait>
void in_step(const TrainPage& page, const Act& act, const Wait& wait) {
    const auto own = steps_of(page.runner, page.shown.get()), other = steps_of(page.beside, page.other.get());
    if (own) !other || *own <= *other ? act(*page.runner) : wait(*page.runner);
    if (other) !own || *other <= *own ? act(*page.beside) : wait(*page.beside);
}

void play_both(TrainPage& page) {
    const auto pause = [](TrainRunner& runner) { runner.play(false); };
    const auto go = [&](TrainRunner& runner) { runner.play(true, page.until); };
    if (page.plays) return in_step(page, go, pause);
    for (const auto& runner : {page.runner, page.beside})
        if (runner) pause(*runner);
}

// Whether what is to learn has come as far as the step of a tour has it.
bool has_come_there(const TrainPage& page) {
    const TrainSnapshot* const shown = page.shown.get();
    return page.until && shown && shown->begun && shown->of.goes_on_as(page.asked) &&
           steps_of(page.runner, shown).value_or(*page.until) >= *page.until;
}

void take_news(TrainPage& page) {
    if (page.runner) page.shown = page.runner->latest();
    page.other = page.beside ? page.beside->latest() : nullptr;
    const bool ended = !steps_of(page.runner, page.shown.get()) && !steps_of(page.beside, page.other.get());
    if (ended) {
        page.plays = false;
        page.until.reset();
    }
    if (page.plays && has_come_there(page)) {
        page.plays = false;
        page.until.reset();
        play_both(page);
    }
    if (page.plays) play_both(page);
}

// Where a model that is opened lies from then on. Its folder's name is its own.
Result<std::string> folder_of(const TrainOrder& order) {
    Result<std::filesystem::path> state = state_file();
    if (!state) return state.error();
    std::string name = order.architecture.name;
    std::ranges::replace(name, '/', '-');
    const std::string_view task = word_of(task_words, order.settings.task.kind);
    return (state->parent_path() / "trained" / task / name).string();
}

// Read again where it is another file.
void read_text_file(TrainPage& page, const std::string& file) {
    if (std::exchange(page.text_of, file) == file) return;
    page.text.clear();
    page.text_error.reset();
    if (file.empty()) return;
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(file, failure);
    if (!failure && size > most_text) {
        page.text_error = Error{bytes_text(static_cast<std::int64_t>(size)) + " are too many to be watched", file,
                                "give at most " + bytes_text(most_text) + ", or train on it by headcount train --text"};
        return;
    }
    Result<std::string> text = read_text(file);
    if (text)
        page.text = std::move(*text);
    else
        page.text_error = text.error();
}

}  // namespace

bool has_news(const TrainPage& page) {
    return (page.runner && page.runner->latest() != page.shown) || (page.beside && page.beside->latest() != page.other);
}

void look_at_training(Session& session) {
    TrainPage& page = session.training;
    const TrainPlace& place = session.view.train;
    if (!page.runner) page.runner = std::make_shared<TrainRunner>(page.wake);
    for (const auto& runner : {page.runner, page.beside})
        if (runner) {
            runner->pace(place.speed);
            // Of the one beside no number is asked.
            runner->look({place.layer, place.shows, place.step, runner == page.runner ? place.cell : std::nullopt});
        }
    if (session.dragging) return;  // else it would begin anew with every pixel
    if (place.source != TrainSource::own) read_small_model(page, place.source, session.presets);
    const bool small = place.source != TrainSource::own && page.small;
    TrainOrder order{small ? page.small->architecture : session.derived.shown.architecture, place.settings};
    if (!small) order.architecture.name = title_of(session.document);
    if (order.settings.task.kind == TaskKind::text) read_text_file(page, place.text_file);
    order.settings.task.text = order.settings.task.kind == TaskKind::text ? page.text : std::string();
    order.settings.threads = usual_threads();
    if (!order.goes_on_as(page.asked) && std::exchange(page.plays, false)) play_both(page);
    if (std::exchange(page.asked, order) != order) draw_model(page, small);
    // What cannot learn says so at once.
    const bool light = !page.drawn || page.drawn->derived.shown.parameters.total <= most_light;
    page.runner->order(std::move(order), light);
    if (has_come_there(page)) page.until.reset();
    if (page.until && !std::exchange(page.plays, true)) play_both(page);
}

void rest_training(Session& session) {
    session.training.plays = false;
    for (const auto& runner : {session.training.runner, session.training.beside})
        if (runner) runner->rest();
}

std::optional<Error> change_training(TrainPage& page, TrainPlace& place, const TrainIntent& intent) {
    TrainRunner* const runner = page.runner.get();
    std::optional<Error> error;
    std::visit(Overloaded{
                   [&](const SetTrain& set) { place = set.place; },
                   [&](const ReadText& read) {
                       place.settings.task.kind = TaskKind::text;
                       place.text_file = read.path;
                   },
                   [&](const PlayTraining& play) {
                       if (play.playing) place.step.reset();
                       page.until.reset();
                       page.plays = play.playing;
                       play_both(page);
                   },
                   [&](const StepTraining&) {
                       place.step.reset();
                       page.until.reset();
                       page.plays = false;
                       in_step(
                           page, [](TrainRunner& each) { each.step(); }, [](TrainRunner& each) { each.play(false); });
                   },
                   [&](const RestartTraining&) {
                       place.step.reset();
                       page.until.reset();
                       page.plays = false;
                       for (const auto& each : {page.runner, page.beside})
                           if (each) each->restart();
                   },
                   [&](const TakeTraining&) { take_news(page); },
                   [&](const KeepTraining&) {
                       page.plays = false;
                       play_both(page);
                       page.beside = std::exchange(page.runner, nullptr);
                       page.other = std::exchange(page.shown, nullptr);
                       page.asked = {};  // the new one has to be told
                       page.saved = 0;
                   },
                   [&](const LetGoTraining&) {
                       page.beside.reset();
                       page.other.reset();
                   },
                   [&](const OpenTraining&) {
                       Result<std::string> folder = folder_of(page.asked);
                       if (!folder) error = folder.error();
                       if (folder && runner) runner->save({*std::move(folder), true});
                   },
                   [&](const SaveTraining& save) {
                       if (runner) runner->save({save.folder, false});
                   },
               },
               intent);
    return error;
}

std::optional<TrainSaved> take_saved(TrainPage& page) {
    const std::optional<TrainSaved>& saved = page.shown ? page.shown->saved : std::nullopt;
    if (!saved || std::exchange(page.saved, saved->number) == saved->number) return std::nullopt;
    return saved;
}

void finish_training(Session& session) {
    look_at_training(session);
    TrainPage& page = session.training;
    for (const auto& runner : {page.runner, page.beside})
        if (runner) runner->wait_until_calm();
    take_news(page);
}

}  // namespace headcount
