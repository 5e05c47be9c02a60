// Measured speeds: those that ship (assets/measured.json), those of whoever uses the program, and what they say of a
// pass.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/measured.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Reads {"measured": [{"model", "set", "device", "devices", "phase", "tokens", "batch", "dtype", "kv_dtype", "with",
// "source"}]}, each with one of "tokens_per_second", "seconds" and "mfu"; "device" is an id or one made by hand.
Result<std::vector<Measurement>> load_measured(const std::filesystem::path& file);

// Those of `more`, which may be empty, one's own, and those that ship.
Result<std::vector<Measurement>> all_measured(const std::filesystem::path& more = {});

// Measurements with what is worked out of each: once, and when it is asked for.
class Measured {
  public:
    explicit Measured(std::vector<Measurement> all) : all_(std::move(all)), times_(all_.size()) {}

    std::span<const Measurement> all() const { return all_; }
    Result<MeasuredTime> time(std::size_t place);
    // What those that are most alike reached; nothing where there are none that can be worked out.
    std::optional<Efficiency> efficiency(const Workload& run, std::optional<std::size_t> without = {});
    // Of a pass with this input on the options' device. Fails with a sentence where there is none: as workload_of does,
    // and where nothing like it was measured. `step` is the bound of a decoding step.
    Result<Likely> likely(const Pass& pass, Phase phase, const BoundWith& step, const Input& input,
                          const PassOptions& options);

  private:
    std::vector<Measurement> all_;
    std::vector<std::optional<Result<MeasuredTime>>> times_;
};

// What such passes likely reach, by these measurements.
std::shared_ptr<const Reached> reached_by(std::shared_ptr<Measured> measured);
// By all that there are.
Result<std::shared_ptr<const Reached>> reached_by_all();

}  // namespace headcount
