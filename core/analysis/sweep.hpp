// Up to three numbers of an architecture, of the input, formats or devices along ranges: totals, memory and arithmetic
// at every value that is possible; and how numbers are made larger and smaller so that the model stays possible.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/measured.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/metric.hpp"
#include "core/analysis/parameters.hpp"
#include "core/analysis/pass.hpp"
#include "core/analysis/served.hpp"

namespace headcount {

inline constexpr std::int64_t most_points = 100'000;
inline constexpr std::size_t most_varied = 3;

// The field of this key, if it is a number; errors name the nearest, of `also` too, or say `fix`.
Result<Field> number_field(std::string_view key, std::string_view fix = "name a number, such as layers",
                           std::span<const std::string_view> also = {});

// Reads "dim=1024..8192:256", "batch=1,2,4", "tokens=1k..128k:x2", each twice the one before: of numbers. Errors name
// what is wrong and what would be right.
Result<ValueRange> parse_range(std::string_view text);
// The same, and choices: "dtype=bf16,int8,file", "device=h100,a100", "tensor=1..8:x2".
using DeviceReader = std::function<Result<Device>(std::string_view id)>;
Result<ValueRange> parse_varied(std::string_view text, const DeviceReader& read_device);
// Which number of a Sharding such a choice is. `of` counts devices.
std::int64_t Sharding::*counted_as(Choices::Of of);

// Whether a model has nothing of this, as an encoder has no cache. No room for a token is something else.
constexpr bool is_none(Metric metric, double value) { return value == 0 && info(metric).unit == Unit::bytes; }

// What an architecture comes to, besides its totals.
struct SweepPoint {
    std::vector<std::int64_t> values;  // of the numbers that vary, in their order
    Totals parameters;
    std::int64_t weights = 0;          // bytes
    std::int64_t cache_per_token = 0;  // bytes, of one sequence that is shorter than every window
    std::int64_t cache = 0;            // bytes, of all sequences
    std::int64_t states = 0;           // bytes, of all sequences
    std::int64_t flops = 0;            // of one pass over the tokens: those that count
    std::int64_t tokens = 0;           // that this pass reads or makes, of all sequences
    std::int64_t sharing = 1;          // devices that share it
    // Where they were asked for:
    std::optional<std::int64_t>
        memory;                     // bytes of a device: in inference weights, cache and the most activations at once
    std::optional<bool> fits;       // into the device's memory, where one is named
    std::optional<double> seconds;  // of that pass at the roof
    std::optional<double> likely;   // seconds that it likely takes
    std::optional<Served> served;   // at the roof; nothing where all tokens are seen at once
    std::optional<Served> likely_served;
    std::optional<std::int64_t> longest_context, largest_batch;  // that there is room for; 0: none
    std::optional<double> price;                                 // of `sold_tokens` at the roof, where an hour has one

    bool operator==(const SweepPoint&) const = default;
};

// A point's number; nothing where it was not asked for. Above 2^53 the nearest double.
std::optional<double> value_of(const SweepPoint& point, Metric metric);
// The same exactly, of what is whole.
std::optional<std::int64_t> whole_value_of(const SweepPoint& point, Metric metric);

// How the pass is counted; and what costs more, and is worked out only where it is wanted.
struct PointWants {
    bool memory = false;
    PassOptions pass;  // with a device also the time
    std::optional<std::int64_t>
        devices;          // so many in all, whatever groups they form; else as many groups as in the pass
    bool served = false;  // with a device
    bool room = false;    // with a device
    std::shared_ptr<const Reached> reached;  // with a device; null: no likely time

    bool operator==(const PointWants&) const = default;
};
// What a point must have for these metrics: the device is kept where it decides.
PointWants wants_for(std::span<const Metric> shown, const PassOptions& pass,
                     const std::shared_ptr<const Reached>& reached = {});
// All that there is.
PointWants wants_for_all(const PassOptions& pass, const std::shared_ptr<const Reached>& reached = {});

// Works points out one after the other, of the phase that the pass says. Where they differ in numbers only, formulas
// are made once.
class PointMaker {
  public:
    // Weights in the input's number format. The pass is that of `pass_of`, and its numbers are the same.
    explicit PointMaker(const Input& input, const PointWants& wants = {}) : input_(input), wants_(wants) {}

    // The same with another input.
    void set_input(const Input& input);

    // Why there can be no point, before anything is counted.
    enum class Refusal { impossible, input, held };  // the model, what goes through it, how it is held
    std::optional<Refusal> refusal(const Architecture& arch) const;

    // Of an architecture that is not refused. Fails only where a number does not fit in 64 bits.
    Result<SweepPoint> at(const Architecture& arch);

    // The total alone, of architectures that need not be possible: what `solve` searches by; and all that a point says
    // of parameters.
    std::optional<std::int64_t> total_of(const Architecture& arch);
    Result<Totals> totals_of(const Architecture& arch);

    // One whole number alone, likewise.
    std::optional<std::int64_t> amount_of(const Architecture& arch, Metric metric);

  private:
    struct Formulas {
        explicit Formulas(const Architecture& arch);
        ModelGraph graph;  // of all tokens at once, also where some of them were read before
        ShapedTotals totals;
        std::optional<Architecture> own;       // the only one whose they are; nothing where they are those of its shape
        std::optional<MemoryFormulas> memory;  // none before they are asked for
        struct Form {
            Expr flops;
            LeastFormulas least;
        };
        // Of each phase, of latent attention also the absorbed one; none before they are asked for.
        std::array<std::vector<Form>, 3> forms;
    };
    struct PassCosts {
        std::int64_t flops = 0;
        std::optional<double> seconds;
    };
    Formulas& formulas_of(const Architecture& arch);
    // Of their totals alone the formulas are those of more architectures: with the depths that these have.
    std::vector<std::int64_t> totals_for(const Architecture& arch);
    const MemoryFormulas& held_of(Formulas& formulas, const Architecture& arch) const;
    const std::vector<Formulas::Form>& forms_of(Formulas& formulas, const Architecture& arch, Phase phase) const;
    Result<PassCosts> pass_at(Formulas& formulas, const Architecture& arch, Phase phase, const Input& input) const;
    std::optional<Served> served_at(Formulas& formulas, const Architecture& arch, const PassCosts& meant) const;
    void say_likely(SweepPoint& point, Formulas& formulas, const Architecture& arch, PassCosts meant) const;
    std::optional<std::int64_t> memory_of(Formulas& formulas, const Architecture& arch) const;

    Input input_;
    PointWants wants_;
    std::optional<Formulas> formulas_;
};

// What those wait for who use the model, alone.
std::optional<Served> served_of(const Architecture& arch, const Input& input, const PassOptions& options);
// The same as it likely is; nothing where `reached` is null.
std::optional<Served> likely_served_of(const Architecture& arch, const Input& input, const PassOptions& options,
                                       const std::shared_ptr<const Reached>& reached);
// How many seconds a decoding step of so many sequences takes at least, what is sent over links left out; nothing where
// there is no decoding, or a number does not fit in 64 bits. The architecture must outlive it.
BoundWith step_bound(const Architecture& arch, const Input& input, PassOptions options);

// The formula behind an amount that a sweep draws or a search holds: of parameters, memory and operations; nothing of
// other metrics, and where a number does not fit in 64 bits.
struct AmountFormula {
    Expr formula;
    Bindings bindings;
};
std::optional<AmountFormula> amount_formula(const Architecture& arch, const Input& input, Metric metric,
                                            const PassOptions& pass = {});

struct Sweep {
    std::vector<ValueRange> ranges;
    std::vector<SweepPoint> points;
    std::int64_t left_out = 0;   // values that are not possible
    std::int64_t too_large = 0;  // values that are, but make a number that does not fit in 64 bits
};

// Along one range, or along up to three of different things, the last fastest. Fails where there is no point, saying
// why and the nearest value that makes one, and where there are more than `most_points`.
Result<Sweep> sweep(const Architecture& arch, std::span<const ValueRange> ranges, const Input& input,
                    const PointWants& wants = {});

// What is wrong with a range by itself: it runs backwards, takes no steps, or leaves what its field may be.
std::optional<Error> wrong_range(const ValueRange& range);

// How many values a range has, nothing where that does not fit in 64 bits; and the value of a place, of choices the
// place itself.
std::optional<std::int64_t> count_of(const ValueRange& range);
std::int64_t value_at(const ValueRange& range, std::int64_t place);

// "8..64:8"
std::string range_text(const ValueRange& range);
// One of its values: "16", "int4", "h100".
std::string value_text(const ValueRange& range, std::int64_t value);

// Round values around what the field is: where a sweep starts of which nothing else was said.
ValueRange suggested_range(const Architecture& arch, Field field);
// The same of a number of the input: up to many times as much.
ValueRange suggested_range(const Input& input, const InputNumber& number);

// The same of what is no number: formats beside the input's own, and of devices the one of the pass and those about
// it in the list. Of counts nothing is suggested.
ValueRange suggested_range(Choices::Of of, const Input& input, const PassOptions& pass,
                           std::span<const Device> devices);

// Which of its values the model, its input and the pass have; nothing where they have none of them.
std::optional<std::int64_t> number_of(const ValueRange& range, const Architecture& arch, const Input& input,
                                      const PassOptions& pass);

// Of what the field's value is a multiple now and is to stay one: 128 of a width of 4,096, 256 of 11,008, 1 of layers
// and heads, and of a vocabulary of 50,257.
std::int64_t kept_multiple(Field field, std::int64_t value);

// The next multiple up (or down) from where the field is with which the architecture and the input are possible;
// nothing where there is none nearby. `multiple` at least 1.
std::optional<std::int64_t> next_possible(const PointMaker& maker, const Architecture& arch, Field field,
                                          std::int64_t multiple, bool up);

// The architecture with this number; nothing where the field cannot have it.
std::optional<Architecture> with_number(Architecture arch, Field field, std::int64_t value);

}  // namespace headcount
