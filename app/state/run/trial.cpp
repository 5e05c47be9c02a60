// Runs the same tokens with changes, each change by itself, and both texts a little further.
#include "app/state/run/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "app/state/run/moved.hpp"
#include "app/state/run/next.hpp"
#include "core/base/find.hpp"
#include "core/experiment/weight_changes.hpp"

namespace headcount {
namespace {

std::vector<RunChange> those_on(const std::vector<RunChange>& changes) {
    std::vector<RunChange> on;
    std::ranges::copy_if(changes, std::back_inserter(on), &RunChange::on);
    return on;
}

bool any_of_kind(const std::vector<RunChange>& changes, Change::Kind kind) {
    return std::ranges::any_of(changes, [&](const RunChange& each) { return each.change.kind == kind; });
}

std::vector<double> shares(const std::vector<float>& logits) {
    const auto most = static_cast<double>(*std::ranges::max_element(logits));
    std::vector<double> all;
    double sum = 0;
    for (const float logit : logits) sum += all.emplace_back(std::exp(static_cast<double>(logit) - most));
    for (double& each : all) each /= sum;
    return all;
}

// The run as a snapshot of these numbers.
std::shared_ptr<const RunSnapshot> snapshot_of(const RunSnapshot& like, const std::shared_ptr<Run>& run) {
    auto made = std::make_shared<RunSnapshot>(like);
    made->values = std::make_shared<const RunValues>(like.values->shared_model(), run);
    made->logits.assign(run->logits().begin(), run->logits().end());
    return made;
}

// Not where that could not be read; and what an encoder reads beside the decoder stays one text.
bool reads_other(const RunTrial& trial) {
    return trial.asked.reads_other && !trial.other_wrong && trial.of->source.empty();
}

std::optional<Error> compare(RunTrial& trial) {
    const std::int64_t behind = std::ssize(trial.of->tokens) - trial.asked.position;
    trial.changed_position = std::max<std::int64_t>(0, std::ssize(trial.changed->tokens) - behind);
    const Result<std::vector<float>> was = logits_at(*trial.of, trial.asked.position);
    if (!was) return std::nullopt;  // the model has none, or they are not kept: there is nothing to compare
    const Result<std::vector<float>> is = logits_at(*trial.changed, trial.changed_position);
    if (!is) return is.error();
    trial.token = static_cast<std::int32_t>(std::ranges::max_element(*was) - was->begin());
    trial.before = log_probability(*was, trial.token);
    trial.after = log_probability(*is, trial.token);
    const std::vector<double> before = shares(*was), after = shares(*is);
    for (std::size_t id = 0; id < before.size(); ++id) {
        trial.twins.push_back({static_cast<std::int32_t>(id), before[id], after[id]});
        if (before[id] > 0 && after[id] > 0) trial.divergence += before[id] * std::log(before[id] / after[id]);
    }
    const auto larger = [](const TwinShare& each) { return std::max(each.before, each.after); };
    std::ranges::stable_sort(trial.twins, std::ranges::greater{}, larger);
    trial.divergence = std::max(0.0, trial.divergence);
    if (trial.changed_position + 1 == std::ssize(trial.changed->tokens))
        trial.pick = run_next(trial.changed, trial.asked.sampling, trial.changed_position).pick;
    return std::nullopt;
}

}  // namespace

void RunTrials::forget() {
    of_.reset();
    model_.reset();
    same_ = own_ = plain_ = {};
    alone_.reset();
    other_.reset();
    as_it_is_.reset();
    other_text_.clear();
    known_.clear();
    known_ids_.clear();
    known_position_ = -1;
}

Result<std::shared_ptr<Run>> RunTrials::start(Keep keep, const std::vector<RunChange>& changes) const {
    RunOptions options = of_->of->options;
    options.keep = std::min(options.keep, keep);
    std::vector<Change> all;
    for (const RunChange& each : changes) all.push_back(each.change);
    Result<std::shared_ptr<const Model>> model = with_changed_weights(model_, all);
    if (!model) return model.error();
    Result<Run> run = Run::start(*std::move(model), options);
    if (!run) return run.error();
    auto made = std::make_shared<Run>(std::move(*run));
    if (!source_.empty())
        if (std::optional<Error> error = made->set_source(source_)) return *std::move(error);
    return bin_.collected(std::move(made));
}

std::optional<Error> RunTrials::read(Run& run, std::span<const std::int32_t> ids) const {
    return run.append(ids, {{}, stop_});
}

// What the other prompt makes is kept until that is another.
std::optional<Error> RunTrials::read_other(const std::string& text) {
    if (other_ && other_text_ == text) return std::nullopt;
    other_.reset();
    known_.clear();
    same_ = own_ = {};
    const Result<std::vector<std::int32_t>> ids = tokens_of(*of_->of, of_->tokenizer.get(), text);
    if (!ids) return ids.error();
    Result<std::shared_ptr<Run>> run = start(Keep::all);
    if (!run) return run.error();
    other_tokens_ = std::ssize(*ids);
    std::optional<Error> error;
    if (!source_.empty()) error = (*run)->set_source(*ids);
    if (!error) error = read(**run, source_.empty() ? *ids : prompt_);
    if (error) return error;
    other_ = std::move(*run);
    other_text_ = text;
    return std::nullopt;
}

// Kept until the prompt is another.
std::optional<Error> RunTrials::read_as_it_is(const std::vector<RunChange>& changes) {
    if (!any_of_kind(changes, Change::Kind::mean)) as_it_is_.reset();
    if (as_it_is_ || !any_of_kind(changes, Change::Kind::mean)) return std::nullopt;
    Result<std::shared_ptr<Run>> run = start(Keep::all);
    if (!run) return run.error();
    if (std::optional<Error> error = read(**run, prompt_)) return error;
    as_it_is_ = std::move(*run);
    return std::nullopt;
}

// The other prompt as it was read, and perhaps went on.
std::shared_ptr<const RunSnapshot> RunTrials::other_snapshot(const std::shared_ptr<Run>& run) const {
    auto made = std::make_shared<RunSnapshot>(*snapshot_of(*of_, run));
    made->prompt = other_->ids().size();
    const auto tokens_read = [&](std::span<const std::int32_t> ids) {
        std::vector<RunToken> tokens;
        for (const std::int32_t id : ids) tokens.push_back({id, piece_of(*of_, id), tokens.size() >= made->prompt});
        return tokens;
    };
    made->tokens = tokens_read(run->ids());
    made->source.clear();
    made->prompt_text = other_text_;
    made->generated_text.clear();
    made->generated = std::ssize(made->tokens) - static_cast<std::int64_t>(made->prompt);
    made->layers_shown = of_->values->layers() + 1;
    return made;
}

bool RunTrials::is_of_weight(const Change& change) const {
    return weight_at(model_->architecture, model_->graph, change.place).has_value();
}

Result<std::vector<NodeChange>> RunTrials::resolved(const std::vector<RunChange>& changes) const {
    const RunLengths lengths{std::ssize(prompt_), std::ssize(ids_), std::ssize(source_)};
    std::vector<NodeChange> found;
    for (const RunChange& each : changes) {
        if (is_of_weight(each.change)) continue;                           // done by the model that runs
        if (each.change.kind == Change::Kind::patch && !other_) continue;  // said beside the other prompt
        Result<NodeChange> change = resolve(each.change, model_->architecture, model_->graph, lengths,
                                            {.patched = other_.get(), .as_it_is = as_it_is_.get()});
        if (!change) return change.error();
        found.push_back(*std::move(change));
    }
    return found;
}

// Another run where the changes are others: what is shown reads the numbers of the one before where they stand.
std::optional<Error> RunTrials::bring(Line& line, const std::vector<RunChange>& changes,
                                      std::span<const std::int32_t> ids) {
    const auto extends = [&] {
        const std::span<const std::int32_t> there = line.run->ids();
        return line.changes == changes && there.size() <= ids.size() &&
               std::ranges::equal(there, ids.first(there.size())) &&
               !line.run->turns_anew(std::ssize(ids) - std::ssize(there));
    };
    if (!line.run || !extends()) {
        line = {};
        Result<std::vector<NodeChange>> found = resolved(changes);
        if (!found) return found.error();
        Result<std::shared_ptr<Run>> run = start(Keep::all, changes);
        if (!run) return run.error();
        (*run)->set_changes(*std::move(found));
        line.run = std::move(*run);
        line.changes = changes;
    }
    const std::span<const std::int32_t> left = ids.subspan(line.run->ids().size());
    std::optional<Error> error = left.empty() ? std::nullopt : read(*line.run, left);
    if (error) line = {};
    return error;
}

std::optional<Error> RunTrials::find_effects(RunTrial& trial) {
    const Result<std::vector<float>> was = logits_at(*trial.of, trial.asked.position);
    if (known_ids_ != ids_ || known_position_ != trial.asked.position) known_.clear();
    known_ids_ = ids_;
    known_position_ = trial.asked.position;
    for (const RunChange& each : trial.asked.changes) {
        const auto known = std::ranges::find(known_, each.change, &Known::change);
        if (known != known_.end()) {
            trial.effects.push_back(known->effect);
            continue;
        }
        RunEffect effect;
        const Result<std::vector<NodeChange>> found = resolved({each});
        const bool weight = is_of_weight(each.change);
        const bool waits = each.change.kind == Change::Kind::patch && !other_ && !weight;  // for another prompt
        // With other weights it is another run.
        Result<std::shared_ptr<Run>> run = alone_;
        if (weight || !alone_) run = start(Keep::all, {each});
        if (!found || !run) {
            effect.wrong = found ? run.error() : found.error();
        } else if (was && !waits) {
            if (!weight) alone_ = *run;
            (*run)->keep_first(0);
            (*run)->set_changes(*found);
            if (std::optional<Error> error = read(**run, ids_)) return error;
            const Result<std::vector<float>> is = logits_at(*snapshot_of(*trial.of, *run), trial.asked.position);
            const auto token = static_cast<std::int32_t>(std::ranges::max_element(*was) - was->begin());
            if (is)
                effect.alone = log_probability(*is, token) - log_probability(*was, token);
            else
                effect.wrong = is.error();
        }
        trial.effects.push_back(effect);
        known_.push_back({each.change, std::move(effect)});
    }
    return std::nullopt;
}

// Another prompt goes on by as many tokens as this one has.
std::optional<Error> RunTrials::find_changed(RunTrial& trial, const std::vector<RunChange>& on) {
    std::span<const std::int32_t> ids = trial.changed->values->ids();
    const bool other = reads_other(trial), goes_on = other && of_->generated > 0;
    if (on.empty() && !goes_on) return std::nullopt;
    if (goes_on) {
        if (std::optional<Error> error = go_on(own_, on, trial, ids)) return error;
        const std::span<const std::int32_t> all = own_.run->ids();
        ids = all.first(std::min(all.size(), ids.size() + static_cast<std::size_t>(of_->generated)));
    }
    if (std::optional<Error> error = bring(same_, on, ids)) return error;
    trial.changed = other ? other_snapshot(same_.run) : snapshot_of(*trial.changed, same_.run);
    return std::nullopt;
}

// How many tokens a text goes on by.
std::int64_t RunTrials::continuation() const {
    return of_->of->light() ? std::max(of_->generated, least_continuation) : of_->generated;
}

// Behind a prompt, as long as it has to be or can be.
std::optional<Error> RunTrials::go_on(Line& line, const std::vector<RunChange>& on, const RunTrial& trial,
                                      std::span<const std::int32_t> prompt) {
    const std::int64_t tokens = continuation();
    const RunSampling& sampling = trial.asked.sampling;
    const auto goes_on = [&] {
        return line.run && line.changes == on && line.sampling == sampling &&
               line.run->tokens() >= std::ssize(prompt) &&
               std::ranges::equal(line.run->ids().first(prompt.size()), prompt) &&
               line.run->tokens() <= std::ssize(prompt) + tokens;
    };
    if (!goes_on()) {
        line = {};
        if (std::optional<Error> error = bring(line, on, prompt)) return error;
        line.sampling = sampling;
    }
    const auto ends =
        of_->tokenizer ? std::span<const std::int32_t>(of_->tokenizer->ends()) : std::span<const std::int32_t>();
    while (!line.over && line.run->tokens() < std::ssize(prompt) + tokens) {
        if (line.run->tokens() >= of_->of->options.capacity) break;
        const Result<std::int32_t> id = sample(line.run->logits(), sampling_of(sampling), line.run->tokens());
        if (!id) return id.error();
        if (line.run->turns_anew(1)) break;
        if (std::optional<Error> error = read(*line.run, std::array{*id})) return error;
        line.over = contains(ends, *id);
    }
    return std::nullopt;
}

std::optional<Error> RunTrials::find_texts(RunTrial& trial, const std::vector<RunChange>& on) {
    if (!of_->tokenizer || !generates(model_->architecture)) return std::nullopt;
    trial.text = trial.changed_text = of_->generated_text;
    const auto text_behind = [&](const Line& line, std::size_t prompt) {
        return of_->tokenizer->decode(line.run->ids().subspan(prompt), Specials::left_out);
    };
    if (continuation() > of_->generated) {
        if (std::optional<Error> error = go_on(plain_, {}, trial, prompt_)) return error;
        trial.text = text_behind(plain_, prompt_.size());
    }
    if (trial.changed == trial.of) {
        trial.changed_text = trial.text;
        return std::nullopt;
    }
    const auto prompt = trial.changed->values->ids().first(trial.changed->prompt);
    if (std::optional<Error> error = go_on(own_, on, trial, prompt)) return error;
    trial.changed_text = text_behind(own_, prompt.size());
    return std::nullopt;
}

// What was made of another model or prompt is of no use.
void RunTrials::turn_to(const std::shared_ptr<const RunSnapshot>& of, const std::atomic<bool>* stop) {
    const std::span<const std::int32_t> ids = of->values->ids(), source = of->values->source();
    const std::span<const std::int32_t> prompt = ids.first(of->prompt);
    if (model_ != of->values->shared_model() || !std::ranges::equal(prompt_, prompt) ||
        !std::ranges::equal(source_, source)) {
        forget();
        model_ = of->values->shared_model();
        prompt_.assign(prompt.begin(), prompt.end());
        source_.assign(source.begin(), source.end());
    }
    ids_.assign(ids.begin(), ids.end());
    auto whole = std::make_shared<RunSnapshot>(*of);
    whole->layers_shown = of->values->layers() + 1;
    of_ = std::move(whole);
    stop_ = stop;
}

std::optional<RunTrial> RunTrials::find(const std::shared_ptr<const RunSnapshot>& of, const RunExperiment& asked,
                                        const std::atomic<bool>& stop) {
    turn_to(of, &stop);
    RunTrial trial{.of = of_, .asked = asked, .changed = of_};
    if (any_of_kind(asked.changes, Change::Kind::patch) || asked.reads_other) {
        trial.other_wrong = read_other(asked.other);
        trial.other_tokens = other_tokens_;
        if (asked.reads_other && other_ && source_.empty()) trial.changed = other_snapshot(other_);
    } else {
        other_.reset();
    }
    std::vector<RunChange> on = those_on(asked.changes);
    std::optional<Error> error = read_as_it_is(asked.changes);
    if (error && *error != stopped_error()) error.reset();  // said beside each mean
    if (!error) error = find_effects(trial);
    if (!error) {
        // One that this run cannot have is said beside it, and does not keep the others from theirs.
        std::vector<RunChange> possible;
        for (std::size_t i = 0; i < asked.changes.size(); ++i)
            if (asked.changes[i].on && !trial.effects[i].wrong) possible.push_back(asked.changes[i]);
        on = std::move(possible);
        error = find_changed(trial, on);
    }
    if (!error) error = find_texts(trial, on);
    if (!error) error = compare(trial);
    if (error == stopped_error() || trial.other_wrong == stopped_error()) return std::nullopt;
    if (error) trial.changed = trial.of;
    trial.wrong = std::move(error);
    const bool same = std::ranges::equal(trial.of->values->ids(), trial.changed->values->ids());
    for (const bool encoder : {false, true})
        if (same && (!encoder || of->values->layers(true) > 0))
            (encoder ? trial.source_moved : trial.moved) = moved(*trial.of->values, *trial.changed->values, encoder);
    return trial;
}

std::optional<RunRanked> RunTrials::rank(const std::shared_ptr<const RunSnapshot>& of, std::int64_t position,
                                         const Watch& watch) {
    turn_to(of, watch.stop);
    RunRanked ranked{.of = of->values, .position = position, .progress = 1};
    const auto begin = std::chrono::steady_clock::now();
    ranked.wrong = cannot_rank(model_->architecture);
    if (ranked.wrong) return ranked;
    const Result<std::shared_ptr<Run>> run = start(Keep::nothing);
    if (!run) {
        ranked.wrong = run.error();
        return ranked;
    }
    Result<Rank> rank = rank_parts(**run, of->values->ids().first(static_cast<std::size_t>(position) + 1), {}, watch);
    ranked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!rank) {
        if (rank.error() == stopped_error()) return std::nullopt;
        ranked.wrong = rank.error();
        return ranked;
    }
    for (const PartRank& part : rank->parts) {
        for (const std::vector<double>& heads : part.heads) ranked.runs += std::ssize(heads);
        ranked.runs += std::ranges::count_if(part.layers, [](const auto& each) { return each.has_value(); });
    }
    ranked.rank = *std::move(rank);
    return ranked;
}

}  // namespace headcount
