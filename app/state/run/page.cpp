// Keeps the worker at what the view asks for, and takes over what it hands out.
#include "app/state/run/page.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "app/state/edits.hpp"
#include "app/state/overloaded.hpp"
#include "app/state/run/diagnosis.hpp"
#include "app/state/run/looker.hpp"
#include "app/state/run/next.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/session.hpp"

namespace headcount {
namespace {

// What runs is made anew only where something else would run.
void choose_model(RunPage& page, RunSource source, const Shown& own, bool dragging) {
    RunBasis basis = run_basis(source, own);
    if (page.model && page.model->asked == basis) return;
    // Not in the middle of a drag: loading begins with every change.
    if (page.model && dragging) return;
    page.ranks.reset();
    const std::int64_t given_back = page.told ? page.told->bytes_held : 0;
    page.model = std::make_shared<const RunModel>(run_model(std::move(basis), given_back));
}

Place place_of_cell(const RunValues& values, const RunCell& cell) {
    const ModelGraph& graph = values.model().graph;
    const Tensor* const tensor = graph.find(cell.tensor);
    const bool chosen = tensor && graph.is(tensor->block, BlockKind::expert) && is_computed(tensor->role);
    const auto expert = chosen ? values.expert({static_cast<TensorIndex>(tensor - graph.tensors.data()), cell.layer,
                                                cell.copy, cell.row, cell.column})
                               : std::nullopt;
    return {cell.tensor, expert.value_or(cell.copy), std::array{cell.row, cell.column}};
}

// Where the pinned cell is in the diagram, or the one that is being made, or what differs first from somebody else's,
// or the head that is looked at.
Place place_in_diagram(const RunPage& page, const RunPlace& place) {
    const RunValues& values = *page.shown->values;
    const ModelGraph& graph = values.model().graph;
    if (!place.trail.empty()) return place_of_cell(values, place.trail.back());
    if (page.watch) {
        const Watched watched(values, *page.watch, position_in(*page.shown, place.position));
        const std::optional<CellAt> cell = watched.cell(place.head);
        if (cell)
            return place_of_cell(values,
                                 {graph.tensors[cell->tensor].id, cell->layer, cell->copy, cell->row, cell->column});
    }
    const std::int64_t layer = std::clamp<std::int64_t>(place.layer, 0, values.layers() - 1);
    const LayerKind kind = layer_kind(values.model().architecture, layer);
    const RunDiagnosis* const diagnosis = page.diagnosis.get();
    if (diagnosis && diagnosis->found && diagnosis->found->first && diagnosis->of.lock() == values.shared_model()) {
        const Tensor& first = graph.tensors[diagnosis->found->compared[*diagnosis->found->first].tensor];
        const std::optional<std::size_t> group = graph.layer_of(first.block);
        return group ? Place{graph.blocks[graph.layers[*group].block].id} : Place{first.id};
    }
    for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
        const std::optional<std::size_t> group = graph.layer_of(block);
        if (graph.is(block, BlockKind::head) && group && graph.layers[*group].group.kind == kind &&
            graph.within(block, BlockKind::cross) == place.at_source)
            return {graph.blocks[block].id, place.head, {}};
    }
    return {};
}

// What is looked at in it stays while it reads on.
void draw_model(RunPage& page, RunPlace& place, const Shown& own) {
    const Architecture& arch = page.model->architecture();
    const RunSnapshot* const run = page.shown.get();
    const bool read = run && run->values && run->of == page.model;
    const bool drawn = read && shows_of(page, place) == RunShows::diagram;
    if (!drawn && (place.source != RunSource::shipped || !arch.family)) return page.drawn.reset();
    Document document = own.document;
    if (place.source == RunSource::shipped) document = {arch, arch, "", Input{.tokens = 16}};
    if (drawn) document.input = run->values->input();
    if (!page.drawn || page.drawn->document.architecture != document.architecture)
        page.drawn = newly_shown(std::move(document));
    else
        set_document(*page.drawn, std::move(document));
    if (drawn && std::exchange(place.goes, false)) go_to(page.drawn->look, place_in_diagram(page, place));
}

// What was run is shown together with what may follow it, so that both are of the same numbers. While tokens come
// faster than these are found, some are passed over.
void take_news(RunPage& page) {
    if (!page.runner) return;
    page.told = page.runner->latest();
    if (!page.told || !page.told->values) {
        page.looker->forget();
        static_cast<RunFound&>(page) = {};
        page.shown = page.told;
        return;
    }
    static_cast<RunFound&>(page) = page.looker->found();
    if (!page.next) return;
    page.shown = same_numbers(*page.told, *page.next->of) ? page.told : page.next->of;
    if (page.shown->playing == page.told->playing && page.shown->rested == page.told->rested) return;
    auto now = std::make_shared<RunSnapshot>(*page.shown);
    now->playing = page.told->playing;  // Play says at once what it will do
    now->rested = page.told->rested;
    page.shown = std::move(now);
}

TheirFile theirs_of(const RunPage& page, const RunPlace& place) { return {place.against, page.opened_theirs}; }

// What the looker has found of the file that is compared, or of one before.
bool is_diagnosed(const RunPage& page, const RunPlace& place) {
    return page.diagnosis && page.diagnosis->done() && page.diagnosis->file == theirs_of(page, place);
}

// What differs first.
void go_to_difference(const RunDiagnosis& diagnosis, RunPlace& place) {
    if (!diagnosis.found || !diagnosis.found->first) return;
    place.layer = diagnosis.found->compared[*diagnosis.found->first].layer.value_or(place.layer);
    place.goes = true;
}

// Whoever goes step by step through the diagram sees the layer that the step has come to; whoever has pinned a cell,
// that cell's.
void take_news_and_follow(RunPage& page, RunPlace& place) {
    const std::shared_ptr<const RunSnapshot> before = page.shown;
    const bool diagnosed = is_diagnosed(page, place);
    take_news(page);
    if (!diagnosed && is_diagnosed(page, place)) go_to_difference(*page.diagnosis, place);
    const std::shared_ptr<const RunSnapshot>& now = page.shown;
    if (!before || !now || before->of != now->of) page.watch.reset();
    if (!before || !now || now->playing || now->whole() || !place.trail.empty()) return;
    if (shows_of(page, place) != RunShows::diagram) return;  // one head's map stays
    if (now->layers_shown > 0 && !same_numbers(*before, *now)) place.layer = now->layers_shown - 1;
}

// To a class a run goes on word by word, but for the diagram, which has its layers.
bool whole_tokens(const Session& session) {
    const std::optional<RunShows> shows = shows_of(session.running, session.view.run);
    return session.view.show.presenting && (session.view.run.beside || (shows && *shows != RunShows::diagram));
}

std::optional<RunShows> shows_in(const RunSnapshot& run, const RunPlace& place) {
    if (!run.values || run.tokens.empty() || place.beside) return std::nullopt;
    return place.trail.empty() && can_show(run, place.shows) ? place.shows : RunShows::diagram;
}

}  // namespace

std::optional<RunShows> shows_of(const RunPage& page, const RunPlace& place) {
    return page.shown ? shows_in(*page.shown, place) : std::nullopt;
}

bool can_show(const RunSnapshot& run, RunShows shows) {
    switch (shows) {
        case RunShows::words: return has_words(run);
        case RunShows::diagram: return true;
        case RunShows::map: return words_of(run) > 0;
        case RunShows::tokens: return run.tokenizer != nullptr;
        case RunShows::tree: return run.tokenizer && generates(run.values->model().architecture);
    }
    return false;
}

bool has_answered(const RunPage& page) {
    if (!page.watch || !page.shown || !page.shown->values) return true;
    return page.watch->done >= 1 && page.watch->step + 1 >= watch_steps(*page.shown->values).size();
}

std::optional<std::int32_t> word_looked_at(const RunPage& page, const RunSnapshot& run, const RunPlace& place) {
    const auto known = [&](const std::optional<std::int32_t>& id) { return id && *id < words_of(run); };
    for (const std::optional<std::int32_t>& id : {page.words.pointed, page.words.chosen})
        if (known(id)) return id;
    const std::int32_t id = run.tokens[static_cast<std::size_t>(position_in(run, place.position))].id;
    return known(id) ? std::optional(id) : std::nullopt;
}

bool has_news(const RunPage& page) {
    return page.runner &&
           (page.runner->latest() != page.told || page.looker->found() != static_cast<const RunFound&>(page));
}

bool wants_rank(const RunPage& page) { return page.model && page.ranks.value_or(page.model->light()); }

bool news_comes(const RunPage& page, std::chrono::steady_clock::time_point until) {
    // The worker is asked first: what may come next is found in what it hands over.
    constexpr double quick = 0.001;  // seconds of the last pass, which read as many tokens as the next or more
    if (!page.runner || !page.looker || !page.told || !page.told->values || page.told->last_seconds > quick)
        return false;
    return page.runner->wait_for_other_numbers(*page.told, until) || page.looker->wait_for_another(page.next, until);
}

std::optional<RunSource> own_weights(const Shown& model, std::span<const Preset> presets) {
    const Document& document = model.document;
    if (document.architecture != document.base) return std::nullopt;
    if (model.derived.weights.checkpoint) return RunSource::file;
    const Preset* const preset = find_preset(presets, document.preset);
    return preset && preset->ships_weights ? std::optional(RunSource::shipped) : std::nullopt;
}

bool runs_unasked(Session& session) {
    const RunSource source = session.view.run.source;
    if (own_weights(session, session.presets) != source) return false;
    choose_model(session.running, source, session, session.dragging);
    return session.running.model->light();
}

namespace {

bool same_tokens(const Input& a, const Input& b) { return a.tokens == b.tokens && a.source == b.source; }

}  // namespace

void lend_tokens(Session& session) {
    RunPage& page = session.running;
    const RunSnapshot* const run = page.shown.get();
    const Document& own = session.document;
    if (session.dragging || !run || !run->values || run->values->model().architecture != own.architecture) return;
    const bool said = !same_tokens(own.input, page.lent.value_or(first_input(own.architecture)));
    if (said || own.input.cached > 0) return;
    Document document = own;
    page.lent = document.input = with_tokens_of(*run, own.input);
    const Edited before{own, session.view.run.experiments};
    set_document(session, std::move(document));
    session.history.amend(before, {session.document, before.experiments});
}

bool has_lent(const RunPage& page, const Input& input) { return page.lent && same_tokens(input, *page.lent); }

Input without_lent(const RunPage& page, Input input) {
    if (!has_lent(page, input)) return input;
    input.tokens = Input{}.tokens;
    input.source = Input{}.source;
    return input;
}

void look_at_run(Session& session) {
    RunPage& page = session.running;
    RunPlace& place = session.view.run;
    choose_model(page, place.source, session, session.dragging);
    if (shows_of(page, place) != RunShows::diagram) page.watch.reset();
    draw_model(page, place, session);
    if (!page.runner) page.runner = std::make_shared<Runner>(page.wake);
    if (!page.looker) page.looker = std::make_shared<RunLooker>(page.wake);
    page.runner->order({.model = page.model,
                        .prompt = place.prompt,
                        .ids = place.ids,
                        .given = place.against.empty() ? std::vector<std::int32_t>() : page.their_ids,
                        .sampling = place.sampling,
                        .speed = whole_tokens(session) ? RunSpeed::most : place.speed});
    // What follows is of what was run, as it is sampled and looked at now.
    if (!page.told || !page.told->values) return;
    const std::int64_t position = position_in(*page.told, place.position);
    RunQuestion question{page.told, place.sampling, position, place.beside ? RunTab::heads : place.tab};
    question.shows = shows_in(*page.told, place);
    if (question.shows == RunShows::map) question.word = word_looked_at(page, *page.told, place);
    if (question.shows == RunShows::tokens) question.text = place.prompt;
    if (question.shows == RunShows::tree) question.tree = tree_rules(*page.told, place);
    question.theirs = theirs_of(page, place);
    if (page.diagnosis && page.diagnosis->file != question.theirs) page.diagnosis.reset();
    // Beside the run as it is, or how far it has moved as a strip below the diagram.
    const bool moves = question.shows == RunShows::diagram && page.told->of->light() &&
                       std::ranges::any_of(place.experiments.changes, &RunChange::on);
    if (place.beside || moves) {
        // What follows the newest token is compared once it has come through all layers.
        const bool early = position > 0 && !page.told->reached(position, page.told->values->layers() + 1);
        question.experiment = RunExperiment{{place.experiments}, place.sampling, early ? position - 1 : position};
        question.ranks = place.beside && wants_rank(page);
    }
    page.looker->ask(std::move(question));
}

namespace {

// The picture goes along with what is watched, and its numbers are those of the layer that is. Behind the last
// operation is none.
void watch_run(RunPage& page, RunPlace& place, const WatchRun& asked) {
    const bool steps = asked.watch && !(page.watch && page.watch->step == asked.watch->step);
    page.watch = asked.watch;
    if (!steps || !page.shown || !page.shown->values) return;
    const RunValues& values = *page.shown->values;
    const Watched watched(values, *page.watch, 0);
    if (!watched.step()) return page.watch.reset();
    const std::size_t last = watched.steps().size() - 1;
    if (page.watch->step > last) page.watch = RunWatch{.step = last, .done = 1};
    const ModelGraph& graph = values.model().graph;
    if (graph.layer_of(graph.nodes[watched.step()->node].block)) place.layer = watched.step()->layer;
    place.shows = RunShows::diagram;
    place.trail.clear();
    place.goes = true;
}

}  // namespace

RunIntent play_intent(const RunPage& page) {
    if (!page.watch) return PlayRun{!(page.shown && page.shown->playing)};
    RunWatch watch = *page.watch;
    const bool last = page.shown && page.shown->values && watch.step + 1 >= watch_steps(*page.shown->values).size();
    if (!watch.playing && last && watch.done >= 1) return WatchRun{RunWatch{.playing = true}};  // from the beginning
    watch.playing = !watch.playing;
    watch.once = false;
    return WatchRun{watch};
}

RunIntent step_intent(const RunPage& page, int by) {
    if (!page.watch && by < 0) return StepBackRun{};
    if (!page.watch) return StepRun{};
    if (by > 0 && page.watch->done < 1) return WatchRun{RunWatch{page.watch->step, page.watch->done, true, true}};
    if (by < 0) return WatchRun{RunWatch{page.watch->step == 0 ? 0 : page.watch->step - 1, 1, false, false}};
    return WatchRun{RunWatch{page.watch->step + 1, 0, true, true}};
}

void rest_run(Session& session) {
    if (session.running.runner) session.running.runner->rest();
}

void run_opened_weights(Session& session) {
    const KnownFile* const file = session.file();
    if (file && file->checkpoint) session.view.run = from_source(session.view.run, RunSource::file).place;
}

void leave_opened_weights(Session& session) {
    if (session.view.run.source == RunSource::file)
        session.view.run = from_source(session.view.run, RunSource::shipped).place;
}

std::string run_against(Session& session, std::string path) {
    RunPlace& place = session.view.run;
    const bool own = session.file() && session.file()->checkpoint;
    const bool shipped = session.view.workspace == run_view && place.source == RunSource::shipped;
    if (!own && !shipped)
        return std::filesystem::path(path).filename().string() +
               " holds activations: open the model that made them first, with its weights";
    if (!shipped && place.source != RunSource::file) place = from_source(std::move(place), RunSource::file).place;
    // What the file was made with is what is read, and what the words are that are shown.
    Result<TheirIds> read = read_their_ids(path);
    session.running.their_ids = read && read->ids ? *std::move(read->ids) : std::vector<std::int32_t>();
    place.position.reset();
    place.against = std::move(path);
    place.beside = false;
    place.trail.clear();
    place.shows = RunShows::diagram;
    place.goes = true;
    ++session.running.opened_theirs;
    return {};
}

void change_run(RunPage& page, RunPlace& place, const RunIntent& intent) {
    Runner* const runner = page.runner.get();
    const auto ask = [&](auto what, auto... with) {
        if (runner) (runner->*what)(with...);
    };
    std::visit(
        Overloaded{[&](const SetRun& set) {
                       const bool chosen = set.place.layer != place.layer || set.place.head != place.head;
                       place = set.place;
                       if (chosen) place.opens = false;
                   },
                   [&](const WatchRun& watch) {
                       watch_run(page, place, watch);
                       if (runner && page.watch && runner->playing())
                           runner->play(false);  // what is played are operations now
                   },
                   [&](const WatchOn& on) {
                       if (!page.watch || !page.shown || !page.shown->values) return;
                       const std::size_t steps = watch_steps(*page.shown->values).size();
                       watch_run(page, place, {later(*page.watch, steps, on.seconds, place.speed, on.still)});
                   },
                   [&](const RankRun& rank) { page.ranks = rank.wanted; },
                   [&](const LookAtWords& look) { page.words = look.words; },
                   [&](const PlayRun& play) { ask(&Runner::play, play.playing); },
                   [&](const StepRun&) { ask(&Runner::step); }, [&](const StepBackRun&) { ask(&Runner::step_back); },
                   [&](const RestartRun&) { ask(&Runner::restart); }, [&](const FreeRun&) { ask(&Runner::free); },
                   [&](const TakeRun&) { take_news_and_follow(page, place); }},
        intent);
}

void finish_run(Session& session) {
    RunPage& page = session.running;
    if (page.runner) page.runner->wait_until_calm();
    take_news_and_follow(page, session.view.run);
    look_at_run(session);
    if (page.looker) page.looker->wait_until_calm();
    take_news_and_follow(page, session.view.run);
    look_at_run(session);  // the diagram is of what was read
}

}  // namespace headcount
