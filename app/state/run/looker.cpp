// Answers the newest question, step by step: what comes next is wanted soonest, and what each part matters last.
#include "app/state/run/looker.hpp"

#include <new>
#include <utility>

#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

bool same(const RunQuestion& a, const RunQuestion& b) {
    return same_numbers(*a.of, *b.of) && a.sampling == b.sampling && a.position == b.position && a.tab == b.tab &&
           a.experiment == b.experiment && a.ranks == b.ranks && a.of->playing == b.of->playing && a.shows == b.shows &&
           a.word == b.word && a.text == b.text && a.tree == b.tree && a.theirs == b.theirs;
}

bool answers(const RunNext& next, const RunQuestion& question) {
    return same_numbers(*next.of, *question.of) && next.sampling == question.sampling &&
           next.position == question.position;
}

bool answers(const RunLens& lens, const RunQuestion& question) {
    return lens.of == question.of->values && lens.position == question.position &&
           (lens.asked || question.tab != RunTab::lens);
}

bool answers(const RunTrial& trial, const RunQuestion& question) {
    return trial.of->values == question.of->values && trial.asked == *question.experiment;
}

bool answers(const RunRanked& ranked, const RunQuestion& question) {
    return ranked.of == question.of->values && ranked.position == question.experiment->position &&
           (ranked.rank || ranked.wrong);
}

// Whether what is under way for the one is of no use for the other. That there are more tokens does not make it so.
bool gives_way(const RunQuestion& now, const RunQuestion& next) {
    return now.experiment != next.experiment || &now.of->values->model() != &next.of->values->model();
}

Error no_memory() { return {"there is not enough memory", "", "take a smaller model"}; }

RunNext find_next(const RunQuestion& question) {
    try {
        return run_next(question.of, question.sampling, question.position);
    } catch (const std::bad_alloc&) {
        return {.of = question.of, .sampling = question.sampling, .position = question.position, .wrong = no_memory()};
    }
}

RunLens find_lens(const RunQuestion& question) {
    try {
        return run_lens(*question.of, question.position, question.tab == RunTab::lens);
    } catch (const std::bad_alloc&) {
        return {.of = question.of->values, .position = question.position, .asked = true};
    }
}

}  // namespace

RunLooker::RunLooker(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

RunLooker::~RunLooker() {
    const std::lock_guard lock(mutex_);  // else a question that is taken now would not see it
    stop_ = true;
    thread_.request_stop();
}

void RunLooker::ask(RunQuestion question) {
    const std::lock_guard lock(mutex_);
    if (asked_ && same(*asked_, question)) return;
    if (busy_ && asked_ && (long_ || gives_way(*asked_, question))) stop_ = true;
    asked_ = std::move(question);
    open_ = true;
    changed_.notify_all();
}

void RunLooker::forget() {
    // What they hold is given back without the lock.
    std::optional<RunQuestion> asked;
    RunFound found;
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
    std::swap(found, found_);
    open_ = asked.has_value();  // the thread lets go of what is its own
    stop_ = true;
    ++age_;
    changed_.notify_all();
}

RunFound RunLooker::found() const {
    const std::lock_guard lock(mutex_);
    return found_;
}

void RunLooker::wait_until_calm() const {
    std::unique_lock lock(mutex_);
    calm_.wait(lock, [&] { return !busy_ && !open_; });
}

bool RunLooker::wait_for_another(const std::shared_ptr<const RunNext>& than,
                                 std::chrono::steady_clock::time_point until) const {
    std::unique_lock lock(mutex_);
    const std::shared_ptr<const RunNext>& next = found_.next;
    const auto comes = [&] { return (busy_ || open_) && asked_ && !(next && answers(*next, *asked_)); };
    calm_.wait_until(lock, until, [&] { return next != than || !comes(); });
    return next && next != than;
}

void RunLooker::serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (!open_) {
            calm_.notify_all();
            changed_.wait(lock, stop, [&] { return open_; });
            continue;
        }
        busy_ = std::exchange(open_, false);
        std::optional<RunQuestion> question = asked_;
        const unsigned age = age_;
        stop_ = false;
        lock.unlock();
        if (!question || !question->experiment) forget_trials();
        if (!question || question->shows != RunShows::map) mapping_.reset();
        if (!question || question->shows != RunShows::tree) trees_.reset();
        forget_diagnosis(question ? question->theirs : TheirFile{});
        if (question) answer(*question, age);
        question.reset();
        lock.lock();
        busy_ = long_ = false;
    }
    calm_.notify_all();
}

void RunLooker::answer(const RunQuestion& question, unsigned age) {
    const RunFound before = found();
    if (!before.next || !answers(*before.next, question)) hand_over(&RunFound::next, find_next(question), age);
    if (question.experiment) experiment(question, age);
    if (question.tab != RunTab::heads && (!before.lens || !answers(*before.lens, question)))
        hand_over(&RunFound::lens, find_lens(question), age);
    look_at_words(question, age);
    if (question.ranks && question.experiment && !question.of->playing) rank(question, age);
    if (!question.theirs.path.empty() && !question.of->playing) diagnose(question, age);
}

// What an experiment was made of takes as much memory as the run itself.
void RunLooker::forget_trials() {
    if (trials_) trials_->forget();
    std::shared_ptr<const RunTrial> trial;
    std::shared_ptr<const RunRanked> ranked;
    const std::lock_guard lock(mutex_);
    trial.swap(found_.trial);
    ranked.swap(found_.ranked);
}

// Of another file than is asked about.
void RunLooker::forget_diagnosis(const TheirFile& asked) {
    std::shared_ptr<const RunDiagnosis> diagnosis;
    const std::lock_guard lock(mutex_);
    if (found_.diagnosis && found_.diagnosis->file != asked) diagnosis.swap(found_.diagnosis);
}

void RunLooker::experiment(const RunQuestion& question, unsigned age) {
    if (const auto before = found().trial; before && answers(*before, question)) return;
    if (!trials_) trials_.emplace();
    try {
        if (std::optional<RunTrial> found = trials_->find(question.of, *question.experiment, stop_))
            hand_over(&RunFound::trial, *std::move(found), age);
    } catch (const std::bad_alloc&) {
        trials_->forget();
        hand_over(&RunFound::trial,
                  RunTrial{.of = question.of,
                           .asked = *question.experiment,
                           .changed = question.of,
                           .effects = std::vector<RunEffect>(question.experiment->changes.size()),
                           .wrong = no_memory()},
                  age);
    }
}

void RunLooker::rank(const RunQuestion& question, unsigned age) {
    if (const auto before = found().ranked; before && answers(*before, question)) return;
    if (!begin_long()) return;
    if (!trials_) trials_.emplace();
    const std::int64_t position = question.experiment->position;
    const auto told = [&](double share) {
        hand_over(&RunFound::ranked, RunRanked{.of = question.of->values, .position = position, .progress = share},
                  age);
    };
    try {
        if (std::optional<RunRanked> found = trials_->rank(question.of, position, {told, &stop_}))
            hand_over(&RunFound::ranked, *std::move(found), age);
    } catch (const std::bad_alloc&) {
        hand_over(&RunFound::ranked, RunRanked{.of = question.of->values, .position = position, .wrong = no_memory()},
                  age);
    }
}

void RunLooker::diagnose(const RunQuestion& question, unsigned age) {
    const auto before = found().diagnosis;
    if (before && before->done() && is_diagnosis_of(*before, question.theirs, *question.of)) return;
    if (!begin_long()) return;
    const auto told = [&](double share) {
        hand_over(&RunFound::diagnosis,
                  RunDiagnosis{.of = question.of->values->shared_model(), .file = question.theirs, .progress = share},
                  age);
    };
    RunDiagnosis made = diagnose_run(question.theirs, *question.of, {told, &stop_});
    if (made.done()) hand_over(&RunFound::diagnosis, std::move(made), age);
}

bool RunLooker::begin_long() {
    const std::lock_guard lock(mutex_);
    long_ = !open_;
    return long_;
}

// What a page of its own shows. Heads are found anew when the text rests, or there are none.
void RunLooker::look_at_words(const RunQuestion& question, unsigned age) {
    const RunSnapshot& run = *question.of;
    const RunFound before = found();
    const std::shared_ptr<const Model>& model = run.values->shared_model();
    const auto is_of = [](const auto& each, const auto& of) { return each && each->of.lock() == of; };
    if (question.shows == RunShows::words && has_words(run)) {
        const bool known = is_of(before.heads, run.values) && before.heads->tokens == tokens_through(run);
        const bool rests = !run.playing && run.whole();
        if (!known && (rests || !before.heads || before.heads->heads.empty()))
            hand_over(&RunFound::heads, heads_worth_a_look(run), age);
    }
    if (question.shows == RunShows::tokens && run.tokenizer) {
        const auto& steps = before.steps;
        if (!steps || steps->by.lock() != run.tokenizer || steps->text != question.text)
            hand_over(
                &RunFound::steps,
                RunSteps{.by = run.tokenizer, .text = question.text, .steps = run.tokenizer->steps(question.text)},
                age);
    }
    const bool map = question.shows == RunShows::map, rows = map || question.shows == RunShows::tokens;
    try {
        if (question.shows == RunShows::tree && begin_long()) grow_tree(question, age);
        if (!rows || words_of(run) == 0 || !begin_long()) return;
        const MatrixView table = token_table(*model);
        if (map && question.word && !(is_of(before.near, model) && before.near->id == *question.word)) {
            RunNear near{.of = model, .id = *question.word};
            near.rows = nearest_rows(table, near.id, words_of(run), near_words, {{}, &stop_});
            if (stop_) return;
            hand_over(&RunFound::near, std::move(near), age);
        }
        if (!is_of(before.trained, model)) {
            RunTrained trained{.of = model, .rows = trained_rows(table, ids_of_no_text(run), {{}, &stop_})};
            if (stop_) return;
            hand_over(&RunFound::trained, std::move(trained), age);
        }
        const std::shared_ptr<const RunTrained> trained = found().trained;
        if (map && trained && !(is_of(before.map, model) && before.map->map)) draw_map(question, *trained, age);
    } catch (const std::bad_alloc&) {
        mapping_.reset();  // there is no such page, and all else is there
        trees_.reset();
    }
}

void RunLooker::grow_tree(const RunQuestion& question, unsigned age) {
    const auto before = found().tree;
    if (before && before->of.lock() == question.of->values && before->position == question.position &&
        before->rules == question.tree)
        return;
    if (!trees_) trees_.emplace();
    if (std::optional<RunTree> tree = trees_->find(*question.of, question.position, question.tree, {{}, &stop_}))
        hand_over(&RunFound::tree, *std::move(tree), age);
}

void RunLooker::draw_map(const RunQuestion& question, const RunTrained& trained, unsigned age) {
    const std::shared_ptr<const Model>& model = question.of->values->shared_model();
    if (!mapping_ || mapping_->of != model)
        mapping_.emplace(Mapping{model, PrincipalAxes(token_table(*model), trained_words(*question.of, trained))});
    RunWordMap map{.of = model, .tokens = words_of(*question.of)};
    while (!stop_) {
        const bool last = mapping_->axes.pass({{}, &stop_});
        map.passes = mapping_->axes.passes();
        if (last) map.map = mapping_->axes.map();
        hand_over(&RunFound::map, map, age);
        if (!last) continue;
        mapping_.reset();
        return;
    }
}

// But not where all was forgotten meanwhile.
template <class Found>
void RunLooker::hand_over(std::shared_ptr<const Found> RunFound::*place, Found found, unsigned age) {
    auto made = std::make_shared<const Found>(std::move(found));
    {
        const std::lock_guard lock(mutex_);
        if (age == age_) (found_.*place).swap(made);
    }
    calm_.notify_all();
    if (wake_) wake_();
}

}  // namespace headcount
