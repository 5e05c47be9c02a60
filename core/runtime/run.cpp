// The manners of a run: what it is asked is looked at before the interpreter does it.
#include "core/runtime/run.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>

#include "core/base/text.hpp"
#include "core/runtime/interpreter.hpp"

namespace headcount {

namespace {

std::optional<Error> pass_in_pieces(Interpreter& interpreter, std::span<const std::int32_t> ids, const Watch& watch) {
    const std::size_t at_once = static_cast<std::size_t>(interpreter.plan().pass_rows);
    for (std::size_t done = 0; done < ids.size(); done += at_once) {
        const std::size_t now = std::min(at_once, ids.size() - done);
        Watch part = watch;
        if (watch.progress)
            part.progress = [&](double share) {
                watch.at((static_cast<double>(done) + share * static_cast<double>(now)) /
                         static_cast<double>(ids.size()));
            };
        if (std::optional<Error> error = interpreter.pass(ids.subspan(done, now), part)) return error;
    }
    return std::nullopt;
}

}  // namespace

Run::Run(std::unique_ptr<Interpreter> interpreter) : interpreter_(std::move(interpreter)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

Result<Run> Run::start(std::shared_ptr<const Model> model, const RunOptions& options) {
    const Architecture& arch = model->architecture;
    if (options.capacity < 0 || options.threads < 1)
        return Error{"a run takes at least one token and one thread", "", "give 1 or more"};
    if (arch.positions == Positions::learned && options.capacity > arch.context)
        return Error{grouped(options.capacity) + " tokens are more than the " + grouped(arch.context) +
                         " that the position table has rows for",
                     "context", "take fewer tokens"};
    Result<std::unique_ptr<Interpreter>> interpreter = Interpreter::make(std::move(model), options);
    if (!interpreter) return interpreter.error();
    return Run(std::move(*interpreter));
}

const Model& Run::model() const {
    return interpreter_->model();
}

const RunOptions& Run::options() const {
    return interpreter_->options();
}

std::optional<Error> Run::append(std::span<const std::int32_t> ids, const Watch& watch) {
    const std::int64_t vocab = model().architecture.vocab, before = tokens();
    const auto count = static_cast<std::int64_t>(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || ids[i] >= vocab)
            return Error{"token " + std::to_string(ids[i]) + " is not in the vocabulary of " + grouped(vocab),
                         "token " + std::to_string(i + 1) + " of the prompt",
                         "give ids from 0 to " + std::to_string(vocab - 1)};
    if (const std::int64_t room = interpreter_->plan().capacity; count > room - before)
        return Error{grouped(before + count) + " tokens are more than the " + grouped(room) + " that there is room for",
                     "", "take a shorter prompt or fewer new tokens"};
    const auto start = std::chrono::steady_clock::now();
    assert(!turns_anew(count));
    interpreter_->prepare_positions(before + count);
    if (std::optional<Error> error = pass_in_pieces(*interpreter_, ids, watch)) {
        interpreter_->keep_first(before);
        return error;
    }
    interpreter_->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::nullopt;
}

bool Run::turns_anew(std::int64_t more) const {
    return interpreter_->turns_anew(tokens() + more);
}

void Run::keep_first(std::int64_t tokens) {
    interpreter_->keep_first(tokens);
}

std::span<const std::int32_t> Run::ids() const {
    return interpreter_->ids();
}

std::span<const float> Run::logits() const {
    return interpreter_->logits();
}

MatrixView Run::activation(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    return interpreter_->view(tensor, layer, copy);
}

std::span<const std::int32_t> Run::experts(std::int64_t layer) const {
    return interpreter_->experts(layer);
}

MatrixView Run::hidden(std::int64_t layer) const {
    return interpreter_->hidden(layer);
}

double Run::seconds() const {
    return interpreter_->seconds;
}

}  // namespace headcount
