// How many bytes counted tensors take in the number format at hand, as `headcount memory` counts them.
#include "core/lesson/stored_bytes.hpp"

#include <algorithm>

#include "core/analysis/memory.hpp"

namespace headcount {
namespace {

class ByteSum {
  public:
    ByteSum(const CountedModel& model, std::span<const CountedTensor> counted)
        : model_(model), counted_(counted), done_(counted.size(), false) {}

    Expr operator()() {
        std::vector<Expr> terms;
        for (const StoredTensor& stored : model_.graph.stored)
            if (take_whole(stored)) terms.push_back(stored.copies * bytes(tensor_formula(stored)));
        for (std::size_t i = 0; i < counted_.size(); ++i)
            if (!done_[i])
                terms.push_back(counted_[i].times *
                                bytes(element_count(model_.graph.tensors[counted_[i].tensor].shape)));
        return sum_of(terms);
    }

  private:
    Expr bytes(const Expr& numbers) const { return bytes_formula(numbers, model_.input.precision); }

    // Whether each part of it is counted as often as there are copies; these are then done.
    bool take_whole(const StoredTensor& stored) {
        std::vector<std::size_t> taken;
        for (const TensorIndex part : stored.parts)
            for (std::size_t i = 0; i < counted_.size(); ++i)
                if (!done_[i] && counted_[i].tensor == part && in_all_copies(counted_[i])) {
                    taken.push_back(i);
                    break;
                }
        if (taken.size() != stored.parts.size()) return false;
        for (const std::size_t i : taken) done_[i] = true;
        return true;
    }

    bool in_all_copies(const CountedTensor& counted) const {
        const Expr copies = model_.graph.copies(model_.graph.tensors[counted.tensor].block);
        const Result<std::int64_t> times = evaluate(counted.times, model_.bindings),
                                   all = evaluate(copies, model_.bindings);
        return times && all && *times == *all;
    }

    const CountedModel& model_;
    std::span<const CountedTensor> counted_;
    std::vector<bool> done_;
};

}  // namespace

Expr stored_bytes(const CountedModel& model, const Expr& numbers, std::span<const CountedTensor> counted) {
    if (info(model.input.precision).bits >= 8) return bytes_formula(numbers, model.input.precision);
    return ByteSum(model, counted)();
}

}  // namespace headcount
