// Trains, and looks at what came of it: held-out lines, heads, weights with their gradients.
#include "app/state/train/work.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/state/run/snapshot.hpp"
#include "core/base/text.hpp"
#include "core/train/lines.hpp"

namespace headcount {
namespace {

constexpr std::int64_t most_cells = 96;  // a side, of a matrix as it is shown
constexpr std::int64_t most_maps = 64, most_lines_answered = 8;
constexpr std::size_t most_map_tokens = 48;
constexpr std::size_t most_matrices = 4, most_kept_points = 400;

// Of the numbers that share a cell the one that is furthest from 0.
std::vector<float> cells_of(const MatrixView& matrix, std::int64_t rows, std::int64_t columns, float& largest,
                            std::vector<std::array<std::int64_t, 2>>* shown = nullptr) {
    std::vector<float> cells(static_cast<std::size_t>(rows * columns));
    if (shown) shown->resize(cells.size());
    const auto begins = [](std::int64_t at, std::int64_t count, std::int64_t all) {
        return at == 0 || (at - 1) * count / all != at * count / all;
    };
    for (std::int64_t i = 0; i < matrix.rows; ++i)
        for (std::int64_t j = 0; j < matrix.columns; ++j) {
            const std::int64_t row = i * rows / matrix.rows, column = j * columns / matrix.columns;
            const auto at = static_cast<std::size_t>(row * columns + column);
            float& cell = cells[at];
            const float number = matrix.at(i, j);
            const bool first = begins(i, rows, matrix.rows) && begins(j, columns, matrix.columns);
            const bool further = first || !(std::abs(number) <= std::abs(cell));
            if (further) cell = number;
            if (shown && further) (*shown)[at] = {i, j};
            if (std::abs(number) > largest) largest = std::abs(number);
        }
    return cells;
}

bool is_shown(const Tensor& tensor, TrainShows shows) {
    if (shows == TrainShows::feed_forward) return tensor.component == Component::feed_forward;
    return tensor.component == Component::attention || tensor.component == Component::recurrence;
}

std::int64_t layer_of(const Trainer& trainer, const TrainLook& look) {
    return std::clamp<std::int64_t>(look.layer, 0, trainer.architecture().layers - 1);
}

std::vector<TrainMatrix> matrices_of(const Trainer& trainer, const TrainLook& look) {
    const std::int64_t layer = layer_of(trainer, look);
    std::vector<TrainMatrix> found;
    for (const ParameterCopy& copy : trainer.parameters().copies()) {
        const Tensor& tensor = trainer.graph().tensors[copy.tensor];
        if (!copy.matrix || !copy.of_layer || copy.layer != layer || copy.copy != 0) continue;
        if (!is_shown(tensor, look.shows) || found.size() == most_matrices) continue;
        TrainMatrix matrix{.tensor = copy.tensor, .rows = copy.rows, .columns = copy.columns};
        matrix.shown_rows = std::min(copy.rows, most_cells);
        matrix.shown_columns = std::min(copy.columns, most_cells);
        const MatrixView weights = trainer.weight(copy.tensor, copy.layer);
        const MatrixView gradients = trainer.gradient(copy.tensor, copy.layer);
        if (!weights) continue;
        matrix.weights = cells_of(weights, matrix.shown_rows, matrix.shown_columns, matrix.largest_weight);
        if (gradients && trainer.looked_at() > 0)
            matrix.gradients =
                cells_of(gradients, matrix.shown_rows, matrix.shown_columns, matrix.largest_gradient, &matrix.shown);
        found.push_back(std::move(matrix));
    }
    return found;
}

// What is no layer's, and norms, are named by themselves.
TrainLearner named(const Tensor& tensor, const ParameterCopy& copy, bool encoder) {
    const auto alone = [&](std::string name) { return TrainLearner{name, name, tensor.component, 0}; };
    if (tensor.component == Component::norm) return alone("Norms");
    if (tensor.part == Part::position_embedding) return alone("Positions");
    const std::string component(component_name(tensor.component));
    if (!copy.of_layer) return alone(component);
    const std::string of_layer = std::to_string(copy.layer) + " " + lower(component);
    return {(encoder ? "Encoder layer " : "Layer ") + of_layer, (encoder ? "Enc " : "L ") + of_layer, tensor.component,
            0};
}

std::vector<TrainLearner> learners_of(const Trainer& trainer, double& all) {
    std::map<std::string, TrainLearner> found;
    const std::span<const float> gradients = trainer.gradients();
    all = 0;
    for (const ParameterCopy& copy : trainer.parameters().copies()) {
        if (copy.offset + copy.floats() > std::ssize(gradients)) continue;  // nothing trains it
        const Tensor& tensor = trainer.graph().tensors[copy.tensor];
        const std::optional<std::size_t> group = trainer.graph().layer_of(tensor.block);
        const bool encoder = group && trainer.graph().layers[*group].group.kind.encoder;
        double squares = 0;
        for (std::int64_t i = 0; i < copy.floats(); ++i) {
            const auto number = static_cast<double>(gradients[static_cast<std::size_t>(copy.offset + i)]);
            squares += number * number;
        }
        TrainLearner learner = named(tensor, copy, encoder);
        const std::string name = learner.name;
        found.try_emplace(name, std::move(learner)).first->second.length += squares;
        all += squares;
    }
    std::vector<TrainLearner> learners;
    for (auto& [name, learner] : found) {
        learner.length = std::sqrt(learner.length);
        learners.push_back(std::move(learner));
    }
    std::ranges::stable_sort(learners,
                             [](const TrainLearner& a, const TrainLearner& b) { return a.length > b.length; });
    all = std::sqrt(all);
    return learners;
}

}  // namespace

double TrainSnapshot::knows_nothing() const {
    return std::log(static_cast<double>(std::max<std::int64_t>(architecture.vocab, 1)));
}

void TrainWork::begin(const TrainOrder& order) {
    let_go();
    now_ = {.of = order, .architecture = order.architecture};
    const Result<Task> task = Task::make(order.settings.task);
    if (!task) {
        now_.error = task.error();
        return;
    }
    Result<Architecture> arch = architecture_for(order.architecture, *task);
    if (!arch) {
        now_.error = arch.error();
        return;
    }
    Result<Trainer> made = Trainer::make(*arch, order.settings);
    if (!made) {
        now_.error = made.error();
        return;
    }
    trainer_ = std::move(*made);
    const Trainer& trainer = *trainer_;
    now_.roof = trainer_->roof();
    now_.begun = true;
    now_.architecture = trainer.architecture();
    now_.graph = std::make_shared<const ModelGraph>(trainer.graph());
    now_.tokens = trainer.task().tokens();
    const LineForm form = line_form(trainer.architecture(), trainer.task());
    if (const std::optional<LineFloor> floor = floor_of(form, trainer.task())) {
        now_.floor = floor->nats;
        now_.floor_words = floor->words;
    }
    now_.parameters = trainer.parameters().trained();
    now_.measured = trainer.measured_memory();
    if (const Result<TrainMemory> predicted = trainer.predicted_memory()) now_.predicted = *predicted;
    if (const Result<StepWork> work = trainer.work()) now_.work = *work;
    const TaskLine line = trainer.task().line(order.settings.seed, 0, true);
    now_.line_ids = form.batch(trainer.task(), {&line, 1}, 1).ids;
    now_.line_ids.resize(std::min<std::size_t>(now_.line_ids.size(), most_map_tokens));
    now_.line = trainer.task().text(now_.line_ids.data(), now_.line_ids.size());
}

void TrainWork::let_go() {
    trainer_.reset();
    gradients_of_.reset();
    now_ = {};
}

void TrainWork::run_out(const TrainOrder& order) {
    let_go();
    now_ = {.of = order, .architecture = order.architecture};
    now_.error = Error{"the training found no more memory", "", "take a smaller model, or fewer lines a step"};
}

void TrainWork::step(double learning_rate) {
    if (!trainer_ || now_.error) return;
    now_.of.settings.learning_rate = learning_rate;
    trainer_->set_learning_rate(learning_rate);
    gradients_of_.reset();
    const Result<StepFigures> made = trainer_->step();
    if (!made) {
        now_.error = made.error();
        return;
    }
    now_.history.push_back(*made);
    now_.measured = trainer_->measured_memory();
}

// What each head looks at in one held-out line.
void TrainWork::read_line(TrainPoint& point) const {
    const Result<std::shared_ptr<const Model>> model = trainer_->model();
    if (!model) return;
    Result<Run> run = Run::start(*model, {.capacity = std::ssize(now_.line_ids), .keep = Keep::attention});
    if (!run || run->append(now_.line_ids)) return;
    const RunValues values(*model, std::make_shared<const Run>(std::move(*run)));
    for (std::int64_t layer = 0; layer < values.layers(); ++layer)
        for (std::int64_t head = 0; head < values.heads_of(layer); ++head) {
            const MatrixView shares = values.attention(layer, head);
            if (!shares || std::ssize(point.maps) == most_maps) continue;
            TrainMap map{layer, head, shares.rows, {}};
            for (std::int64_t i = 0; i < shares.rows; ++i)
                for (std::int64_t j = 0; j < shares.columns; ++j) map.shares.push_back(shares.at(i, j));
            if (shares.rows == shares.columns) point.maps.push_back(std::move(map));
        }
}

// Of the weights that are looked at, worked out once for a step.
std::shared_ptr<const TrainPoint> TrainWork::point_here() {
    const std::int64_t step = trainer_->looked_at();
    auto& points = now_.points;
    const auto at = std::lower_bound(points.begin(), points.end(), step,
                                     [](const auto& point, std::int64_t wanted) { return point->step < wanted; });
    if (at != points.end() && (*at)->step == step) return *at;
    auto point = std::make_shared<TrainPoint>();
    point->step = step;
    point->held_out = trainer_->held_out();
    read_line(*point);
    return *points.insert(at, std::move(point));
}

// However long it trains: every second one goes, but for the first and the newest.
void TrainWork::thin_points() {
    auto& points = now_.points;
    if (points.size() <= most_kept_points) return;
    std::size_t kept = 1;
    for (std::size_t i = 2; i < points.size(); i += 2) points[kept++] = points[i];
    if (points.size() % 2 == 0) points[kept++] = points.back();
    points.resize(kept);
}

// Of the steps that are kept the last one up to there.
void TrainWork::look_at(const TrainLook& look, bool rests) {
    now_.kept = trainer_->snapshots();
    now_.snapshots = std::ssize(now_.kept);
    // The newest weights can be looked at whether they are a snapshot or not.
    if (now_.kept.empty() || now_.newest() != trainer_->steps_done()) now_.kept.push_back(trainer_->steps_done());
    const auto after = std::upper_bound(now_.kept.begin(), now_.kept.end(), look.step.value_or(now_.newest()));
    const std::int64_t wanted = after == now_.kept.begin() ? now_.kept.front() : *(after - 1);
    if (wanted != trainer_->looked_at() || (rests && wanted > 0 && gradients_of_ != wanted)) {
        (void)trainer_->look_at(wanted);
        gradients_of_ = wanted;
    }
    now_.step = trainer_->looked_at();
}

void TrainWork::save(const TrainLook& look, TrainFiles files, unsigned number) {
    if (!trainer_) return;
    look_at(look, true);
    if (files.opens) files.folder += ", step " + grouped(now_.step);
    TrainSaved saved{.number = number, .files = std::move(files), .prompt = {}, .error = {}};
    saved.error = trainer_->save_model(saved.files.folder);
    saved.prompt = trainer_->prompts(1).front().text;
    now_.saved = std::move(saved);
}

TrainSnapshot TrainWork::shown(const TrainLook& look, bool rests) {
    if (!trainer_) return now_;
    look_at(look, rests);
    now_.now = point_here();
    thin_points();
    if (trainer_->task().has_answers()) now_.answers = trainer_->answers(most_lines_answered);
    now_.cell.reset();
    if (look.cell && now_.step > 0)
        for (TensorIndex i = 0; i < now_.graph->tensors.size(); ++i)
            if (now_.graph->tensors[i].id == look.cell->tensor)
                now_.cell = trainer_->explain_gradient({.tensor = i,
                                                        .layer = layer_of(*trainer_, look),
                                                        .row = look.cell->row,
                                                        .column = look.cell->column});
    now_.matrices = matrices_of(*trainer_, look);
    now_.learners.clear();
    if (now_.step > 0) now_.learners = learners_of(*trainer_, now_.gradient_length);
    now_.snapshot_every = trainer_->snapshot_every();
    now_.snapshot_bytes = trainer_->snapshot_bytes();
    constexpr std::size_t recent = 50;
    double seconds = 0;
    const std::size_t from = now_.history.size() - std::min(recent, now_.history.size());
    for (std::size_t i = from; i < now_.history.size(); ++i) seconds += now_.history[i].seconds;
    now_.steps_per_second = seconds > 0 ? static_cast<double>(now_.history.size() - from) / seconds : 0;
    return now_;
}

}  // namespace headcount
