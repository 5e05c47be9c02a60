// Reads both files, restores what lies in blocks, and goes through all numbers.
#include "app/state/compare/numbers.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "core/checkpoints/gguf_published.hpp"
#include "core/checkpoints/quantized_names.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

struct Side {
    std::shared_ptr<const Model> model;
    std::map<std::string, std::string, std::less<>> types;  // by the tensor's published name
};

Result<Side> read_side(const NumbersOf& numbers, KnownFile& read, const Watch& watch) {
    if (const std::optional<FileStamp> stamp = stamp_of(numbers.file)) read.stamps.push_back(*stamp);
    Result<Opened> opened = open_architecture(numbers.file, {});
    if (!opened) return opened.error();
    read.stamps = known_file(*opened).stamps;
    if (!opened->checkpoint)
        return Error{"there are no weights", numbers.file, "choose a file of weights, or its folder"};
    Result<std::shared_ptr<const Model>> model = load_model(numbers.architecture, *opened->checkpoint, watch);
    if (!model) return model.error();
    Side side{std::move(*model), {}};
    const Checkpoint& file = *opened->checkpoint;
    if (is_gguf(file)) {
        for (const PublishedTensor& tensor : published_tensors(file).tensors)
            side.types.emplace(tensor.name, tensor.type.name);
        return side;
    }
    for (const CheckpointTensor& tensor : file.tensors)
        side.types.emplace(packed_matrix(tensor.name).value_or(tensor.name), tensor.type.name);
    return side;
}

}  // namespace

NumbersFinder::NumbersFinder(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

NumbersFinder::~NumbersFinder() {
    const std::lock_guard lock(mutex_);  // else a question that is taken now would not see it
    stop_ = true;
    thread_.request_stop();
}

void NumbersFinder::ask(const NumbersOf& a, const NumbersOf& b) {
    const std::lock_guard lock(mutex_);
    std::array<NumbersOf, 2> asked{a, b};
    const bool others = found_ && std::ranges::any_of(found_->read, changed_on_disk);
    if (asked_ && *asked_ == asked && !others) return;
    asked_ = std::move(asked);
    open_ = true;
    found_.reset();
    stop_ = true;
    changed_.notify_all();
}

void NumbersFinder::rest() {
    const std::lock_guard lock(mutex_);
    if (!open_ && !busy_) return;
    asked_.reset();
    open_ = false;
    stop_ = true;
    changed_.notify_all();
}

// Finds the errors, publishes them, and then the ranks, as many at a time as a moment brings.
std::optional<Error> NumbersFinder::find(NumbersApart& apart) {
    const Watch watch{.stop = &stop_};
    const Result<CountedModel> counted = count_model(apart.b.architecture, {.tokens = 1});
    if (!counted) return counted.error();
    const Result<Side> a = read_side(apart.a, apart.read[0], watch);
    if (!a) return a.error();
    const Result<Side> b = read_side(apart.b, apart.read[1], watch);
    if (!b) return b.error();
    Result<WeightErrors> errors = weight_errors(*counted, *b->model, *a->model, watch);
    if (!errors) return errors.error();
    apart.errors = std::move(*errors);
    std::map<std::string, WeightError, std::less<>> sums;
    for (const TensorError& each : apart.errors.tensors) {
        const std::string& name = counted->graph.stored[each.stored].name;
        const auto type_of = [&](const Side& side) {
            auto type = side.types.find(each.name);
            if (type == side.types.end() && each.place.layer)
                type = side.types.find(name_in_layer(name, std::to_string(*each.place.layer)));
            return type == side.types.end() ? std::string() : type->second;
        };
        apart.stored.push_back({type_of(*a), type_of(*b)});
        for (const TensorIndex part : counted->graph.stored[each.stored].parts)
            sums[counted->graph.tensors[part].id].add(each.error);
    }
    for (const auto& [id, sum] : sums)
        if (const std::optional<double> share = sum.share()) {
            apart.by_tensor.emplace(id, *share);
            if (std::isfinite(*share)) apart.largest = std::max(apart.largest, *share);
        }
    publish(apart);
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds between(1);
    Clock::time_point published = Clock::now();
    for (const TensorError& each : apart.errors.tensors) {
        apart.ranks.push_back(difference_ranks(*b->model, *a->model, *counted, each, watch));
        if (watch.stopped()) return stopped_error();
        if (Clock::now() - published < between) continue;
        publish(apart);
        published = Clock::now();
    }
    apart.ranked = true;
    return std::nullopt;
}

// Unless something else has been asked since, or nothing is any more.
void NumbersFinder::publish(const NumbersApart& apart) {
    {
        const std::lock_guard lock(mutex_);
        if (stop_ || !asked_) return;
        found_ = std::make_shared<const NumbersApart>(apart);
    }
    if (wake_) wake_();
}

std::shared_ptr<const NumbersApart> NumbersFinder::found() const {
    const std::lock_guard lock(mutex_);
    return found_;
}

void NumbersFinder::wait_until_calm() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !open_ && !busy_; });
}

void NumbersFinder::serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return open_; })) {
        open_ = false;
        busy_ = true;
        stop_ = stop.stop_requested();
        auto apart = std::make_shared<NumbersApart>();
        apart->a = (*asked_)[0];
        apart->b = (*asked_)[1];
        lock.unlock();
        try {
            apart->wrong = find(*apart);
        } catch (const std::bad_alloc&) {
            apart->wrong = Error{"there is not enough memory for both", "", "take smaller models"};
        }
        lock.lock();
        busy_ = false;
        if (!open_ && asked_) found_ = std::move(apart);
        changed_.notify_all();
        if (wake_) wake_();
    }
}

}  // namespace headcount
