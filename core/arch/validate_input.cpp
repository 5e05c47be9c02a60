// Which inputs an architecture can read.
#include <algorithm>

#include "core/arch/validate.hpp"

namespace headcount {

Input first_input(const Architecture& arch) {
    Input input;
    if (!has_position_table(arch)) return input;
    input.tokens = std::clamp<std::int64_t>(most_tokens(arch), 1, input.tokens);
    input.source = std::clamp<std::int64_t>(most_source(arch), 1, input.source);
    if (arch.patches) input.tokens = most_tokens(arch);
    if (arch.encoder && arch.sound) input.source = most_source(arch);
    return input;
}

std::vector<Error> validate(const Architecture& arch, const Input& input) {
    std::vector<Error> errors;
    if (input.tokens < 1)
        errors.push_back({std::to_string(input.tokens) + " tokens are too few", "tokens", "give at least 1"});
    if (arch.encoder && input.source < 1)
        errors.push_back({std::to_string(input.source) + " source tokens are too few", "source", "give at least 1"});
    if (arch.encoder && has_position_table(arch) && !arch.sound && input.source > most_source(arch))
        errors.push_back({std::to_string(input.source) + " source tokens pass the last of " +
                              std::to_string(most_source(arch)) + " positions",
                          "source", "give fewer tokens or a longer context"});
    if (input.batch < 1)
        errors.push_back({"a batch of " + std::to_string(input.batch) + " is too small", "batch", "give at least 1"});
    if (input.cached < 0)
        errors.push_back({std::to_string(input.cached) + " cached tokens are too few", "cached", "give 0 or more"});
    if (input.cached > 0 && sees_all(arch))
        errors.push_back({"an encoder keeps nothing of earlier tokens: it reads all at once", "cached", "give 0"});
    constexpr std::int64_t most_listed = 1'000'000;  // layers that are looked at one by one
    if (!input.precision.named.empty() && input.precision.by_layer() && arch.layers > most_listed)
        errors.push_back(
            {"formats of single layers are for at most 1,000,000 layers", "dtype", "give one for all layers"});
    bool too_long = input.cached > arch.context || input.tokens > arch.context - input.cached;
    if (has_position_table(arch) && too_long && !arch.patches)
        errors.push_back(
            {std::to_string(input.tokens) +
                 (input.cached > 0 ? " tokens after " + std::to_string(input.cached) + " cached ones" : " tokens") +
                 " pass the last of " + std::to_string(arch.context) +
                 (arch.positions == Positions::sinusoidal ? " positions" : " learned positions"),
             "tokens", "give fewer tokens or a longer context"});
    return errors;
}

}  // namespace headcount
