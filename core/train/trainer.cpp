// Training: lines by number, the schedule, and snapshots around the passes that compute.
#include "core/train/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/arch/validate.hpp"
#include "core/base/text.hpp"
#include "core/train/trainer_state.hpp"

namespace headcount {

bool TaskAnswer::whole() const {
    return std::ranges::all_of(right, [](bool each) { return each; });
}

Result<Architecture> architecture_for(Architecture arch, const Task& task) {
    if (task.asks_within() && (arch.encoder || !sees_all(arch)))
        return Error{"hidden words are asked of an encoder alone, which sees what stands behind them",
                     "the task masked", "take an encoder (bert-base; in the window Encoder), or another task"};
    const LineForm form = line_form(arch, task);
    arch.vocab = form.vocab;
    arch.context = std::max<std::int64_t>(1, form.tokens);
    if (arch.encoder) {
        arch.context = std::max(form.tokens, form.source);
        if (arch.encoder->context) arch.encoder->context = arch.context;
        if (arch.encoder->vocab) arch.encoder->vocab = arch.vocab;
    }
    if (arch.layer.embedding) arch.layer.embedding->vocab = arch.vocab;
    if (const std::vector<Problem> problems = validate(arch); !problems.empty()) return problems.front().error;
    if (std::optional<Error> error = cannot_train(arch, expand(arch, Cache::empty))) return *std::move(error);
    return arch;
}

Trainer::Trainer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;
Trainer::~Trainer() = default;

Result<Trainer> Trainer::make(const Architecture& arch, const TrainSettings& settings) {
    Result<Task> task = Task::make(settings.task);
    if (!task) return task.error();
    if (settings.batch < 1 || settings.passes < 1 || settings.steps < 1)
        return Error{"training takes at least one step of one line", "steps", "give 1 or more"};
    const LineForm form = line_form(arch, *task);
    if (form.vocab > arch.vocab)
        return Error{"the task has " + grouped(form.vocab) + " tokens, the model knows " + grouped(arch.vocab), "vocab",
                     "set vocab=" + std::to_string(form.vocab)};
    Result<std::shared_ptr<const Model>> first = first_model(arch, settings.seed);
    if (!first) return first.error();
    auto trainee = std::make_shared<const Trainee>(arch);
    Result<BatchPass> pass = BatchPass::make(
        trainee,
        {.sequences = settings.batch, .tokens = form.tokens, .source = form.source, .threads = settings.threads});
    if (!pass) return pass.error();
    std::vector<float> weights(static_cast<std::size_t>(trainee->parameters.floats() + panel_columns));
    trainee->parameters.copy_from((*first)->weights, weights);
    auto state = std::make_unique<State>(State{.settings = settings,
                                               .task = *std::move(task),
                                               .first = *std::move(first),
                                               .trainee = trainee,
                                               .form = form,
                                               .pass = *std::move(pass),
                                               .descent = Descent(trainee->parameters, settings.optimizer),
                                               .weights = std::move(weights)});
    state->gradients.resize(static_cast<std::size_t>(trainee->parameters.trained()));
    state->learning_rate = settings.learning_rate;
    state->snapshot_every = settings.snapshot_every;
    state->keep_snapshot();
    return Trainer(std::move(state));
}

const TrainSettings& Trainer::settings() const { return state_->settings; }
const Task& Trainer::task() const { return state_->task; }
const Architecture& Trainer::architecture() const { return state_->trainee->architecture; }
const ModelGraph& Trainer::graph() const { return state_->trainee->graph; }
const ParameterLayout& Trainer::parameters() const { return state_->trainee->parameters; }
std::int64_t Trainer::steps_done() const { return state_->done; }

void Trainer::set_learning_rate(double rate) { state_->learning_rate = rate; }

double Trainer::learning_rate_at(std::int64_t step) const {
    const TrainSettings& settings = state_->settings;
    const auto warm_up = static_cast<double>(settings.warm_up), at = static_cast<double>(step);
    if (step < settings.warm_up) return state_->learning_rate * (at + 1) / warm_up;
    const double left = std::max(1.0, static_cast<double>(settings.steps) - warm_up);
    const double share = std::min(1.0, (at - warm_up) / left);
    const double wave = 0.5 * (1 + std::cos(3.14159265358979323846 * share));
    return state_->learning_rate * (settings.last_share + (1 - settings.last_share) * wave);
}

Result<StepFigures> Trainer::step() {
    State& own = *state_;
    own.looked_at.reset();
    const auto start = std::chrono::steady_clock::now();
    const Result<double> loss = own.go_through(own.done, own.weights);
    if (!loss) return loss.error();
    StepFigures made{.step = own.done, .loss = *loss};
    double squares = 0;
    for (const float each : own.gradients) squares += static_cast<double>(each) * static_cast<double>(each);
    made.gradient_norm = std::sqrt(squares);
    if (!std::isfinite(made.gradient_norm))
        return Error{"a gradient is no number in step " + grouped(own.done), "the backward pass",
                     "lower the learning rate"};
    made.clipped = own.settings.clip > 0 && made.gradient_norm > own.settings.clip;
    made.learning_rate = learning_rate_at(own.done);
    own.descent.step(own.done, made.learning_rate, made.clipped ? own.settings.clip / (made.gradient_norm + 1e-6) : 1.0,
                     own.weights, own.gradients, own.pass.pool());
    ++own.done;
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    own.keep_snapshot();
    return made;
}

HeldOut Trainer::held_out() {
    State& own = *state_;
    HeldOut found;
    std::int64_t counted = 0, asked = 0, right = 0, whole = 0;
    const std::int64_t all = std::max<std::int64_t>(1, own.settings.held_out), at_once = own.settings.batch;
    for (std::int64_t first = 0; first < all; first += at_once) {
        const std::vector<TaskLine> lines = own.lines(first, std::min(at_once, all - first), true);
        const LineBatch batch = own.form.batch(own.task, lines, at_once);
        const double loss = own.pass.forward(own.shown().data(), batch);
        found.loss += loss * static_cast<double>(own.pass.counted());
        counted += own.pass.counted();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::vector<AnsweredToken> tokens = own.form.answer(own.pass.logits(), lines[i], i);
            const auto good = std::ranges::count_if(tokens, [](const AnsweredToken& each) { return each.right(); });
            asked += std::ssize(tokens);
            right += good;
            if (good == std::ssize(tokens)) ++whole;
        }
    }
    found.loss /= static_cast<double>(std::max<std::int64_t>(1, counted));
    found.tokens_right = static_cast<double>(right) / static_cast<double>(std::max<std::int64_t>(1, asked));
    if (own.task.has_answers()) found.lines_right = static_cast<double>(whole) / static_cast<double>(all);
    return found;
}

std::vector<TaskAnswer> Trainer::answers(std::int64_t count) {
    State& own = *state_;
    std::vector<TaskAnswer> all;
    const std::int64_t at_once = own.settings.batch;
    for (std::int64_t first = 0; first < count; first += at_once) {
        const std::vector<TaskLine> lines = own.lines(first, std::min(at_once, count - first), true);
        // Each token is read by the next ones as it was answered.
        std::vector<TaskLine> written = lines;
        const bool in_turn = own.form.one_by_one();
        const std::size_t turns = in_turn ? lines.front().ids.size() - lines.front().answer : 1;
        std::vector<std::vector<AnsweredToken>> tokens(lines.size());
        for (std::size_t turn = 0; turn < turns; ++turn) {
            own.pass.forward(own.shown().data(), own.form.batch(own.task, written, at_once));
            for (std::size_t i = 0; i < lines.size(); ++i) {
                tokens[i] = own.form.answer(own.pass.logits(), lines[i], i);
                for (std::size_t j = 0; j < tokens[i].size() && (!in_turn || j <= turn); ++j)
                    written[i].ids[tokens[i][j].place] = tokens[i][j].made;
            }
        }
        for (std::size_t i = 0; i < lines.size(); ++i) {
            TaskAnswer& answer = all.emplace_back();
            std::vector<std::int32_t> question = lines[i].ids;
            for (const AnsweredToken& token : tokens[i]) {
                const std::int32_t made = written[i].ids[token.place];
                answer.answer += own.task.text(&made, 1);
                answer.expected += own.task.text(&token.expected, 1);
                answer.right.push_back(made == token.expected);
                question[token.place] = own.task.mask();
            }
            answer.question = own.task.text(question.data(), lines[i].answer);
        }
    }
    return all;
}

std::vector<std::int64_t> Trainer::snapshots() const {
    std::vector<std::int64_t> steps;
    for (const State::Snapshot& each : state_->snapshots) steps.push_back(each.step);
    return steps;
}

std::optional<Error> Trainer::look_at(std::int64_t step) {
    State& own = *state_;
    const auto found = std::ranges::find(own.snapshots, step, &State::Snapshot::step);
    if (found == own.snapshots.end() && step != own.done)
        return Error{"no weights are kept of step " + grouped(step), "",
                     "take one that is a multiple of " + std::to_string(own.snapshot_every)};
    own.looked_at.reset();
    if (step != own.done) own.looked_at = static_cast<std::size_t>(found - own.snapshots.begin());
    const Result<double> loss = own.go_through(step, own.shown());
    if (!loss) return loss.error();
    return std::nullopt;
}

std::int64_t Trainer::looked_at() const {
    return state_->looked_at ? state_->snapshots[*state_->looked_at].step : state_->done;
}

std::int64_t Trainer::snapshot_bytes() const { return state_->snapshot_bytes(); }

std::int64_t Trainer::snapshot_every() const { return state_->snapshot_every; }

MatrixView Trainer::weight(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const ParameterCopy* const place = parameters().find(tensor, layer, copy);
    if (!place) return {};
    return {.data = state_->shown().data() + place->offset,
            .rows = place->rows,
            .columns = place->columns,
            .row_step = place->columns};
}

MatrixView Trainer::gradient(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const ParameterCopy* const place = parameters().find(tensor, layer, copy);
    if (!place || !parameters().is_trained(tensor)) return {};
    return {.data = state_->gradients.data() + place->offset,
            .rows = place->rows,
            .columns = place->columns,
            .row_step = place->columns};
}

std::span<const float> Trainer::weights() const { return std::span(state_->shown()).first(state_->gradients.size()); }

std::span<const float> Trainer::gradients() const { return state_->gradients; }

Result<std::shared_ptr<const Model>> Trainer::model() const {
    Result<Weights> weights = state_->first->weights.copied();
    if (!weights) return weights.error();
    parameters().copy_to(state_->shown(), *weights);
    return std::shared_ptr<const Model>(
        std::make_shared<Model>(Model{architecture(), state_->first->graph, *std::move(weights)}));
}

}  // namespace headcount
