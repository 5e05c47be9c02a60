// A model that learns: steps on lines that are made from a seed, what it answers on lines that are held out, its
// weights and their gradients, and snapshots to look back at. The backward pass is the graph's (core/train/pass.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/runtime/explain.hpp"
#include "core/runtime/model.hpp"
#include "core/train/parameters.hpp"
#include "core/train/settings.hpp"
#include "core/train/stored.hpp"

namespace headcount {

// What one step did. `loss` is of the step's lines before it, in nats a counted token.
struct StepFigures {
    std::int64_t step = 0;  // of which number, from 0
    double loss = 0, gradient_norm = 0, learning_rate = 0, seconds = 0;
    bool clipped = false;

    bool operator==(const StepFigures&) const = default;
};

// Over the lines that are held out.
struct HeldOut {
    double loss = 0;          // nats a counted token
    double tokens_right = 0;  // share of the answers' tokens that are the likeliest, those before them given
    double lines_right = 0;   // share of the lines whose answer is right as a whole; of a text 0

    bool operator==(const HeldOut&) const = default;
};

// One held-out line, answered token by token.
struct TaskAnswer {
    std::string question, answer, expected;
    std::vector<bool> right;  // by token

    bool whole() const;
};

// A question as a prompt, and what is right behind it.
struct TaskPrompt {
    std::string text, expected;
};

// Bytes by kind.
struct TrainMemory {
    std::int64_t weights = 0, gradients = 0, moments = 0, kept = 0;
    // For a moment: what the backward pass has of its own at its peak, and what operations write down in between.
    std::int64_t passing = 0, working = 0;

    std::int64_t total() const { return weights + gradients + moments + kept + passing + working; }
    bool operator==(const TrainMemory&) const = default;
};

// What a step multiplies: by the graph, and by the rule 6 · N a token.
struct StepWork {
    std::int64_t flops = 0;
    double by_rule = 0;
    std::int64_t tokens = 0;  // of all lines of all passes of a step
};

// The architecture with the vocabulary and the context that the task needs. Errors: a model that cannot learn it (an
// image's, one without scores for tokens), an operation that has no derivative here.
Result<Architecture> architecture_for(Architecture arch, const Task& task);

// Not for two threads at once. Cheap to move.
class Trainer {
  public:
    // With first weights of its own: matrices drawn from a normal distribution, so that it knows nothing. `arch` is
    // what `architecture_for` makes. Errors: those of the task and of that; memory.
    static Result<Trainer> make(const Architecture& arch, const TrainSettings& settings);
    Trainer(Trainer&&) noexcept;
    Trainer& operator=(Trainer&&) noexcept;
    ~Trainer();

    const TrainSettings& settings() const;
    const Task& task() const;
    const Architecture& architecture() const;
    const ModelGraph& graph() const;
    const ParameterLayout& parameters() const;

    // One step: forwards, backwards, and the optimizer's. Errors: a loss or a gradient that is no number, with the
    // first tensor that has one; the weights are then as before.
    Result<StepFigures> step();
    std::int64_t steps_done() const;

    // From the next step on. The schedule's share is applied to it.
    void set_learning_rate(double rate);
    double learning_rate_at(std::int64_t step) const;

    // Of the weights that are looked at.
    HeldOut held_out();
    std::vector<TaskAnswer> answers(std::int64_t lines);

    // Steps of which the weights are kept, ascending; the longer it trains the further apart, so that they take no more
    // than the settings say. Looking at one of them, or at the newest weights, all that is handed out is of its
    // weights, and the gradients are those that its step then had; stepping goes on from the newest. Error: none is
    // kept of that step.
    std::vector<std::int64_t> snapshots() const;
    std::optional<Error> look_at(std::int64_t step);
    std::int64_t looked_at() const;  // how many steps the weights have seen
    std::int64_t snapshot_bytes() const;
    std::int64_t snapshot_every() const;  // steps, by now

    // A parameter as the graph has it, (in, out) of a linear layer, a vector one row; and what its gradient was in the
    // last step. Without data where that layer has none. They stay true until the next call that changes something.
    MatrixView weight(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;
    MatrixView gradient(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;
    // A number of the gradient of a linear layer's matrix as the sum that it is: over the tokens of the step's lines,
    // what the layer has read times the gradient of what it made. Goes through these lines with the weights that are
    // looked at, as `look_at` does, so that `gradient` is of them. Errors: no such number; a matrix of no linear layer,
    // or of an expert to whom no token came; a loss that is none.
    Result<Explanation> explain_gradient(const CellAt& cell);
    // All that is trained in one row, as `parameters()` lays it.
    std::span<const float> weights() const;
    std::span<const float> gradients() const;

    // The model as it is now, or is looked at, for a run. Takes the weights once more.
    Result<std::shared_ptr<const Model>> model() const;

    // The memory as the analysis predicts it, and as it was allocated: equal.
    Result<TrainMemory> predicted_memory() const;
    TrainMemory measured_memory() const;
    Result<StepWork> work() const;
    // Operations a second that its threads reach here where they do nothing but multiply: measured, which takes a
    // twentieth of a second. No step is faster than its operations at that speed.
    double roof();

    // The weights that are looked at as a model like any, which `headcount` and transformers load: model.safetensors,
    // its numbers in that form, and config.json. Besides, but where a tokenizer cuts the text, tokenizer.json of the
    // task's tokens, and as prompts.json some questions that were held out. Whole or not at all, file by file. Errors:
    // what cannot be written; fields that a config.json has no word for.
    std::optional<Error> save_model(const std::filesystem::path& folder, FileNumbers form = FileNumbers::fp32) const;
    // The same, and training.safetensors, from which `resume` goes on with the newest weights. Errors: as above.
    std::optional<Error> save(const std::filesystem::path& folder, FileNumbers form = FileNumbers::fp32) const;
    // What of held-out lines the model would be asked, as text for the tokenizer that is saved, with what follows.
    std::vector<TaskPrompt> prompts(std::int64_t lines) const;
    // The weights, moments and step that were saved there, so that the next steps have the same numbers as without a
    // pause. Errors: no such file, or one of other settings or another model.
    std::optional<Error> resume(const std::filesystem::path& folder);

  private:
    std::optional<Error> save_words(const std::filesystem::path& folder) const;
    struct State;
    explicit Trainer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace headcount
