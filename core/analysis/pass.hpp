// One pass of a model: what it computes and moves, and the time that nothing is faster than. Every view and every
// command that says one of these numbers has it from here, or from a PointMaker with the same options.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"

namespace headcount {

// What a pass of this phase reads of the input.
Input input_in(Input input, Phase phase);

// Besides the input.
struct PassOptions {
    Pairs pairs = Pairs::causal;
    Phase phase = Phase::prefill;           // which pass is meant where one is, and not all
    std::optional<Training> training = {};  // how, in that phase; absent: as a Training is by itself
    // Beside the weights, unmerged; in training they alone are trained.
    std::optional<Adapters> adapters = {};
    std::optional<Device> device;      // absent: no time is said
    Sharding sharding;                 // how devices divide the model
    Serving serving;                   // of the memory beside it
    bool scores = false;               // inference keeps whole ones
    std::optional<double> price = {};  // of an hour of one device, in whatever currency; absent: none is said
    std::optional<double> link = {};   // bytes a second that each device sends; absent: sending takes no time

    // Devices that share one pass: copies of the model have a batch each, and make none faster.
    std::int64_t sharing() const { return group_of(sharding).value_or(1); }
    // What the model takes in this phase when it is run so.
    MemoryOptions held(const Input& input) const;
    // Whether a pass of that phase is a training step, and what of it is computed again.
    std::optional<Recompute> trained(Phase run) const;
    // What bounds a pass of that phase. Nothing where no device is named, or what decides is not published: of a
    // decoding step its bandwidth, of others its peak as well.
    std::optional<Roof> roof_for(const Input& input, Phase of) const;
    bool operator==(const PassOptions&) const = default;
};

// What each device of a group sends, on the average over the group.
struct LinkUse {
    std::string_view key;  // "tensor"
    std::int64_t devices;  // of the group
    MemoryFigure sent;
};

// With latent attention in whichever form takes less time at the roof, of two that take as long or without a roof in
// the one that computes less: what no program is faster than must hold for both.
struct Pass {
    ModelGraph graph;
    Bindings bindings;
    PassWork work;
    std::optional<PassWork> anew;  // where that is the absorbed form: with keys and values made anew
    std::int64_t tokens = 0;       // that it reads or makes, of all sequences
    std::int64_t source = 0;       // an encoder's tokens that it reads, of all sequences
    std::optional<Roof> roof;
    std::vector<LinkUse> links;     // of the groups that share it
    std::optional<double> sending;  // seconds that what each device sends takes, where it is said how fast
    std::optional<double> seconds;  // at least: at that roof, or of what is sent, whichever is longer

    // Seconds at the roof alone.
    std::optional<double> computing() const {
        return roof ? std::optional(seconds_at(*roof, work.least)) : std::nullopt;
    }
};
// How such a pass's arithmetic is counted, of its graph, which must outlive what is returned.
WorkOptions work_options(const Architecture& arch, const ModelGraph& graph, const Input& input, Phase phase,
                         const PassOptions& options);
// Without what is sent between devices and how experts are divided (core/analysis/links.hpp: device_pass_of has both).
Result<Pass> pass_of(const Architecture& arch, const Input& input, Phase phase, const PassOptions& options = {});

// A decoding step as those wait for it whose tokens it makes: a token passes the stages of a pipeline one after the
// other, so that it takes as long as on the devices of one stage alone. Of a batch as many sequences are there at once
// as leave some for the other stages.
struct WaitedFor {
    Input input;
    PassOptions options;
};
WaitedFor waited_for(Input input, PassOptions options);

// By the rule 2·N a token, 6·N in training (core/analysis/rates.hpp): where there is an encoder, its tokens times what
// they are multiplied with, and the decoder's times the rest. With adapters 2·(N + n), and 4·N + 6·n in training of
// these n alone: of the frozen N there are no gradients.
double operations_by_rule(const Pass& pass, const Multiplied& multiplied, bool training,
                          const std::optional<Multiplied>& adapters = {});

}  // namespace headcount
