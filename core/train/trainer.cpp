// Training: lines by number, the schedule, snapshots and files around the passes that compute.
#include "core/train/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/rates.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"
#include "core/base/write_file.hpp"
#include "core/files/config.hpp"
#include "core/train/lines.hpp"
#include "core/train/optimizer.hpp"
#include "core/train/stored.hpp"

namespace headcount {

struct Trainer::State {
    TrainSettings settings;
    Task task;
    std::shared_ptr<const Model> first;  // whose graph is a run's
    std::shared_ptr<const Trainee> trainee;
    LineForm form;
    BatchPass pass;
    Descent descent;
    // With room behind them that products may read.
    std::vector<float> weights, gradients = {};
    std::vector<StepFigures> history = {};
    std::int64_t done = 0;
    double learning_rate = 0;
    struct Snapshot {
        std::int64_t step;
        std::vector<float> weights;
    };
    std::vector<Snapshot> snapshots = {};
    std::optional<std::size_t> looked_at = {};  // absent: the newest weights

    const std::vector<float>& shown() const { return looked_at ? snapshots[*looked_at].weights : weights; }
    std::vector<TaskLine> lines(std::int64_t first_line, std::int64_t count, bool held_out) const {
        std::vector<TaskLine> lines;
        for (std::int64_t i = 0; i < count; ++i)
            lines.push_back(task.line(settings.seed, static_cast<std::uint64_t>(first_line + i), held_out));
        return lines;
    }
    LineBatch batch_of(std::int64_t step) const {
        return form.batch(task, lines(step * settings.batch, settings.batch, false), settings.batch);
    }
    void keep_snapshot() {
        if (settings.snapshot_every > 0 && done % settings.snapshot_every == 0 &&
            (snapshots.empty() || snapshots.back().step < done))
            snapshots.push_back({done, weights});
    }
};

bool TaskAnswer::whole() const {
    return std::ranges::all_of(right, [](bool each) { return each; });
}

Result<Architecture> architecture_for(Architecture arch, const Task& task) {
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
    Result<std::shared_ptr<const Model>> first = first_model(arch, settings.seed);
    if (!first) return first.error();
    return from(*std::move(first), settings);
}

Result<Trainer> Trainer::make(const Model& model, const TrainSettings& settings) {
    Result<Weights> weights = model.weights.copied();
    if (!weights) return weights.error();
    return from(std::make_shared<Model>(Model{model.architecture, model.graph, *std::move(weights)}), settings);
}

Result<Trainer> Trainer::from(std::shared_ptr<const Model> first, const TrainSettings& settings) {
    Result<Task> task = Task::make(settings.task);
    if (!task) return task.error();
    if (settings.batch < 1 || settings.steps < 1)
        return Error{"training takes at least one step of one line", "steps", "give 1 or more"};
    const Architecture& arch = first->architecture;
    const LineForm form = line_form(arch, *task);
    if (form.vocab > arch.vocab)
        return Error{"the task has " + grouped(form.vocab) + " tokens, the model knows " + grouped(arch.vocab), "vocab",
                     "set vocab=" + std::to_string(form.vocab)};
    auto trainee = std::make_shared<const Trainee>(arch);
    Result<BatchPass> pass = BatchPass::make(
        trainee,
        {.sequences = settings.batch, .tokens = form.tokens, .source = form.source, .threads = settings.threads});
    if (!pass) return pass.error();
    std::vector<float> weights(static_cast<std::size_t>(trainee->parameters.floats() + panel_columns));
    trainee->parameters.copy_from(first->weights, weights);
    auto state = std::make_unique<State>(State{.settings = settings,
                                               .task = *std::move(task),
                                               .first = std::move(first),
                                               .trainee = trainee,
                                               .form = form,
                                               .pass = *std::move(pass),
                                               .descent = Descent(trainee->parameters, settings.optimizer),
                                               .weights = std::move(weights)});
    state->gradients.resize(static_cast<std::size_t>(trainee->parameters.trained()));
    state->learning_rate = settings.learning_rate;
    state->keep_snapshot();
    return Trainer(std::move(state));
}

const TrainSettings& Trainer::settings() const {
    return state_->settings;
}
const Task& Trainer::task() const {
    return state_->task;
}
const Architecture& Trainer::architecture() const {
    return state_->trainee->architecture;
}
const ModelGraph& Trainer::graph() const {
    return state_->trainee->graph;
}
const ParameterLayout& Trainer::parameters() const {
    return state_->trainee->parameters;
}
std::int64_t Trainer::steps_done() const {
    return state_->done;
}
std::span<const StepFigures> Trainer::history() const {
    return state_->history;
}

void Trainer::set_learning_rate(double rate) {
    state_->learning_rate = rate;
}

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
    const LineBatch batch = own.batch_of(own.done);
    StepFigures made{.step = own.done};
    made.loss = own.pass.forward(own.weights.data(), batch);
    const auto broken = [&](const std::string& what, const std::string& where) {
        return Error{what + " in step " + grouped(own.done), where, "lower the learning rate, or clip the gradient"};
    };
    if (!std::isfinite(made.loss)) {
        const std::optional<std::string> where = own.pass.first_not_finite(own.weights.data(), batch);
        return broken("the loss is no number", where.value_or("the loss"));
    }
    std::ranges::fill(own.gradients, 0.0f);
    own.pass.backward(own.gradients.data());
    double squares = 0;
    for (const float each : own.gradients) squares += static_cast<double>(each) * static_cast<double>(each);
    made.gradient_norm = std::sqrt(squares);
    if (!std::isfinite(made.gradient_norm)) return broken("a gradient is no number", "the backward pass");
    made.clipped = own.settings.clip > 0 && made.gradient_norm > own.settings.clip;
    made.learning_rate = learning_rate_at(own.done);
    own.descent.step(own.done, made.learning_rate, made.clipped ? own.settings.clip / (made.gradient_norm + 1e-6) : 1.0,
                     own.weights, own.gradients, own.pass.pool());
    ++own.done;
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    own.history.push_back(made);
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
        const std::size_t longest = lines.front().ids.size() - lines.front().answer;
        const std::size_t turns = own.form.one_by_one() ? longest : 1;
        std::vector<std::vector<AnsweredToken>> tokens(lines.size());
        for (std::size_t turn = 0; turn < turns; ++turn) {
            own.pass.forward(own.shown().data(), own.form.batch(own.task, written, at_once));
            for (std::size_t i = 0; i < lines.size(); ++i) {
                tokens[i] = own.form.answer(own.pass.logits(), lines[i], i);
                for (std::size_t j = 0; j < tokens[i].size() && j <= (turns > 1 ? turn : longest); ++j)
                    written[i].ids[lines[i].answer + j] = tokens[i][j].made;
            }
        }
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const TaskLine& line = lines[i];
            const std::size_t asked = tokens[i].size();
            TaskAnswer& answer = all.emplace_back();
            answer.question = own.task.text(line.ids.data(), line.answer);
            answer.answer = own.task.text(written[i].ids.data() + line.answer, asked);
            answer.expected = own.task.text(line.ids.data() + line.answer, asked);
            for (std::size_t j = 0; j < asked; ++j)
                answer.right.push_back(written[i].ids[line.answer + j] == line.ids[line.answer + j]);
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
                     "take one that is a multiple of " + std::to_string(own.settings.snapshot_every)};
    own.looked_at.reset();
    if (step != own.done) own.looked_at = static_cast<std::size_t>(found - own.snapshots.begin());
    const LineBatch batch = own.batch_of(step);
    own.pass.forward(own.shown().data(), batch);
    std::ranges::fill(own.gradients, 0.0f);
    own.pass.backward(own.gradients.data());
    return std::nullopt;
}

std::int64_t Trainer::looked_at() const {
    return state_->looked_at ? state_->snapshots[*state_->looked_at].step : state_->done;
}

std::int64_t Trainer::snapshot_bytes() const {
    return std::ssize(state_->snapshots) * parameters().floats() * std::int64_t{sizeof(float)};
}

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

std::span<const float> Trainer::weights() const {
    return std::span(state_->shown()).first(state_->gradients.size());
}

std::span<const float> Trainer::gradients() const {
    return state_->gradients;
}

Result<std::shared_ptr<const Model>> Trainer::model() const {
    Result<Weights> weights = state_->first->weights.copied();
    if (!weights) return weights.error();
    parameters().copy_to(state_->shown(), *weights);
    return std::shared_ptr<const Model>(
        std::make_shared<Model>(Model{architecture(), state_->first->graph, *std::move(weights)}));
}

Result<TrainMemory> Trainer::predicted_memory() const {
    const State& own = *state_;
    constexpr std::array<Optimizer, 3> kinds{Optimizer::adam, Optimizer::sgd, Optimizer::muon};
    MemoryOptions options;
    options.weights = Precision::fp32;
    options.training =
        Training{.optimizer = kinds[static_cast<std::size_t>(own.settings.optimizer.kind)], .scores = true};
    const Input input{.tokens = own.form.tokens,
                      .batch = own.settings.batch,
                      .precision = Precision::fp32,
                      .source = std::max<std::int64_t>(1, own.form.source)};
    const Result<Memory> found = memory(architecture(), graph(), bindings(architecture(), input), options);
    if (!found) return found.error();
    return TrainMemory{.weights = found->weights.bytes,
                       .gradients = found->gradients.bytes,
                       .moments = found->optimizer.bytes,
                       .kept = found->activations.bytes};
}

TrainMemory Trainer::measured_memory() const {
    const State& own = *state_;
    constexpr std::int64_t each = sizeof(float);
    return {.weights = parameters().trained() * each,
            .gradients = std::ssize(own.gradients) * each,
            .moments = own.descent.bytes(),
            .kept = own.pass.kept_bytes(),
            .passing = own.pass.passing_bytes()};
}

Result<StepWork> Trainer::work() const {
    const State& own = *state_;
    const Input input{.tokens = own.form.tokens,
                      .batch = own.settings.batch,
                      .precision = Precision::fp32,
                      .source = std::max<std::int64_t>(1, own.form.source)};
    const Bindings values = bindings(architecture(), input);
    const Result<PassWork> forward = arithmetic(
        graph(), values, {.weights = Precision::fp32, .cache = Precision::fp32, .pairs = Pairs::full, .trained = true});
    if (!forward) return forward.error();
    const Result<Parameters> counted = count_parameters(graph(), values);
    if (!counted) return counted.error();
    const std::int64_t tokens = own.settings.batch * own.form.tokens, source = own.settings.batch * own.form.source;
    const Multiplied multiplied = counted->multiplied();
    return StepWork{.flops = training_work(*forward).flops.full,
                    .by_rule = operations_by_rule(multiplied.token, static_cast<double>(tokens), true) +
                               operations_by_rule(multiplied.source, static_cast<double>(source), true),
                    .tokens = tokens + source};
}

namespace {

constexpr const char* training_file = "training.safetensors";

// What must be the same for a training to go on with the same numbers.
std::string settings_text(const TrainSettings& settings, const Architecture& arch) {
    return nlohmann::json{{"task", task_words[static_cast<std::size_t>(settings.task.kind)]},
                          {"letters", settings.task.letters},
                          {"modulus", settings.task.modulus},
                          {"tokens", settings.task.tokens},
                          {"text", std::hash<std::string>()(settings.task.text)},
                          {"batch", settings.batch},
                          {"seed", settings.seed},
                          {"optimizer", optimizer_kind_words[static_cast<std::size_t>(settings.optimizer.kind)]},
                          {"vocab", arch.vocab}}
        .dump();
}

}  // namespace

std::optional<Error> Trainer::save(const std::filesystem::path& folder) const {
    const State& own = *state_;
    const Result<nlohmann::ordered_json> config = write_config(architecture());
    if (!config) return config.error();
    const Result<std::vector<StoredPlaces>> stored = stored_places(architecture(), own.first->graph, parameters());
    if (!stored) return stored.error();
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error{"the folder cannot be made: " + failed.message(), folder.string(), "name another"};
    std::vector<FileTensor> tensors;
    for (const StoredPlaces& each : *stored) {
        FileTensor& tensor = tensors.emplace_back(FileTensor{each.name, each.shape, {}});
        for (const std::int64_t place : each.places)
            tensor.numbers.push_back(place < 0 ? 0.0f : own.weights[static_cast<std::size_t>(place)]);
    }
    if (std::optional<Error> error = write_tensors(folder / "model.safetensors", tensors)) return error;
    if (const auto written = write_text(folder / "config.json", config->dump(2) + "\n"); !written)
        return written.error();
    const auto row = [](const char* name, std::vector<float> numbers) {
        return FileTensor{name, {std::ssize(numbers)}, std::move(numbers)};
    };
    // Steps are counted in two parts, each of which a float holds.
    constexpr std::int64_t part = 1 << 20;
    std::vector<FileTensor> state{
        row("steps", {static_cast<float>(own.done % part), static_cast<float>(own.done / part)}),
        row("weights", own.weights), row("first", own.descent.first())};
    if (!own.descent.second().empty()) state.push_back(row("second", own.descent.second()));
    return write_tensors(folder / training_file, state, settings_text(own.settings, architecture()));
}

std::optional<Error> Trainer::resume(const std::filesystem::path& folder) {
    State& own = *state_;
    const std::string path = (folder / training_file).string();
    Result<TensorFile> file = read_tensors(path);
    if (!file) return file.error();
    const std::string expected = settings_text(own.settings, architecture());
    if (file->about != expected)
        return Error{"this training was made with other settings: " + file->about + ", not " + expected, path,
                     "give those, or begin anew without --resume"};
    const auto take = [&](const char* name, std::vector<float>& to) {
        const FileTensor* const found = file->find(name);
        if (!found ? !to.empty() : found->numbers.size() != to.size()) return false;
        if (found) to = found->numbers;
        return true;
    };
    std::vector<float> steps(2);
    std::vector<float> weights(own.weights.size());
    if (!take("steps", steps) || !take("weights", weights) || !take("first", own.descent.first()) ||
        !take("second", own.descent.second()))
        return Error{"this training is of another model", path, "give the architecture that it was begun with"};
    own.weights = std::move(weights);
    own.done = static_cast<std::int64_t>(steps[0]) + static_cast<std::int64_t>(steps[1]) * (1 << 20);
    own.history.clear();
    own.snapshots.clear();
    own.looked_at.reset();
    own.keep_snapshot();
    return std::nullopt;
}

}  // namespace headcount
