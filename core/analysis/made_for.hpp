// What figures are of, in words: the model, what goes through it, how it is stored, on which devices.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/analysis/metric.hpp"
#include "core/analysis/pass.hpp"

namespace headcount {

// "T = 2,048 tokens"; of a model that reads an image as many rows as that has, whatever the input says. Of what is
// varied its range is said.
std::string read_words(const Architecture& arch, const Input& input, std::span<const ValueRange> varied = {});
// "T = 2,048 tokens, B = 1 side by side"
std::string pass_words(const Architecture& arch, const Input& input, std::span<const ValueRange> varied = {});
// And how: ", bf16", with what else was asked for.
std::string pass_words(const Architecture& arch, const Input& input, const PassOptions& pass,
                       std::span<const ValueRange> varied = {});

// "adapters of rank 8 beside q_proj, v_proj"
std::string adapters_words(const Adapters& adapters);
// "8 × NVIDIA H100 SXM": the devices that share a pass, where one is named.
std::string device_words(const PassOptions& pass);
// Why there is no time on a device: nothing is known of its speed, or its bandwidth alone, which bounds decoding steps
// and no other pass. A sentence, without a full stop.
std::string unpublished_speed(const Device& device);
// "16 devices: 2 data × 8 tensor × 1 pipeline"
std::string sharding_words(const Sharding& sharding);

// All of it in one line, for whatever figures are written to: "Llama 2 7B: T = 2,048 tokens, B = 1 side by side, bf16,
// cache in bf16, on NVIDIA H100 SXM".
std::string made_for(std::string_view model, const Architecture& arch, const Input& input, const PassOptions& pass,
                     std::span<const ValueRange> varied = {});

}  // namespace headcount
