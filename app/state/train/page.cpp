// Keeps the worker at what the view asks for, and takes over what it hands out.
#include "app/state/train/page.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/state/overloaded.hpp"
#include "app/state/session.hpp"
#include "app/state/train/runner.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/files/assets.hpp"

namespace headcount {
namespace {

// Bytes of a text: it is compared once a frame.
constexpr std::uintmax_t most_text = 4 << 20;
constexpr std::int64_t most_light = 2'000'000;  // parameters: first weights are made as soon as they are looked at
constexpr int most_cores = 8;                   // more wait for each other

// Read once. Nothing where the program's assets are not there.
void read_small_model(TrainPage& page, std::span<const Preset> presets) {
    if (page.drawn) return;
    const std::string folder = or_shipped_model(std::string(small_model));
    const Result<Opened> opened = open_architecture(folder, presets);
    if (!opened) return;
    if (Result<Document> document = document_of(*opened, folder, Input{}))
        page.drawn = newly_shown(std::move(*document));
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
    return page.runner && page.runner->latest() != page.shown;
}

void look_at_training(Session& session) {
    TrainPage& page = session.training;
    const TrainPlace& place = session.view.train;
    if (!page.runner) page.runner = std::make_shared<TrainRunner>(page.wake);
    page.runner->pace(place.speed);
    page.runner->look({place.layer, place.shows, place.step});
    if (session.dragging) return;  // else it would begin anew with every pixel
    TrainOrder order{session.derived.shown.architecture, place.settings};
    bool light = session.derived.shown.parameters.total <= most_light;
    if (place.source == TrainSource::small)
        read_small_model(page, session.presets);
    else
        page.drawn.reset();
    if (page.drawn) {
        order.architecture = page.drawn->document.architecture;
        light = true;
    }
    if (order.settings.task.kind == TaskKind::text) read_text_file(page, place.text_file);
    order.settings.task.text = order.settings.task.kind == TaskKind::text ? page.text : std::string();
    order.settings.threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_cores);
    page.runner->order(std::move(order), light);
}

void rest_training(Session& session) {
    if (session.training.runner) session.training.runner->rest();
}

void change_training(TrainPage& page, TrainPlace& place, const TrainIntent& intent) {
    TrainRunner* const runner = page.runner.get();
    std::visit(Overloaded{
                   [&](const SetTrain& set) { place = set.place; },
                   [&](const PlayTraining& play) {
                       if (play.playing) place.step.reset();
                       if (runner) runner->play(play.playing);
                   },
                   [&](const StepTraining&) {
                       place.step.reset();
                       if (runner) runner->step();
                   },
                   [&](const RestartTraining&) {
                       place.step.reset();
                       if (runner) runner->restart();
                   },
                   [&](const TakeTraining&) {
                       if (runner) page.shown = runner->latest();
                   },
               },
               intent);
}

void finish_training(Session& session) {
    look_at_training(session);
    session.training.runner->wait_until_calm();
    session.training.shown = session.training.runner->latest();
}

}  // namespace headcount
