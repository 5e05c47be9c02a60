// Reads what the class that a configuration names says of the output head.
#include "core/files/class_said.hpp"

#include <algorithm>
#include <array>

#include "core/arch/family.hpp"
#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/wrappers.hpp"

namespace headcount {
namespace {

// The class of the module that holds the layers; empty where nothing holds the rest.
std::string_view base_class(const Family& family) {
    const std::string_view base = family.base_path();
    const auto found = std::ranges::find_if(
        family.modules, [&](const Module& module) { return module.depth == 1 && module.name == base; });
    return base.empty() || found == family.modules.end() ? std::string_view() : found->class_name;
}

bool puts_another_head(std::string_view name) {
    constexpr std::array ends =
        std::to_array<std::string_view>({"Classification", "QuestionAnswering", "MultipleChoice", "RewardModel"});
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

std::optional<Error> obey_class(const nlohmann::json& config, Architecture& arch) {
    const bool masked = arch.output == OutputKind::masked;
    if (arch.output != OutputKind::language && !masked) return std::nullopt;
    const std::string name = class_said(config);
    const std::string_view base = base_class(*arch.family);
    // With the embedding as its head the whole has no more than the stack, but for a bias.
    const bool has_more = masked || !arch.tied || arch.head_bias;
    if (!name.empty() && name == base && has_more && !arch.encoder) {
        arch.output = OutputKind::none;
        arch.tied = arch.head_bias = false;
    } else if (puts_another_head(name)) {
        const std::string also = base.empty() ? "" : ", or " + std::string(base) + " for what it stands on";
        return Error{as_written(name) + " has another head than scores for tokens, which is not known here",
                     "architectures", "give " + std::string(arch.family->modules.front().class_name) + also};
    }
    return std::nullopt;
}

std::optional<Error> wrong_class_of_whole(const nlohmann::json& config, const Architecture& arch) {
    const std::string name = class_said(config);
    const bool bare = find_wrapper(type_said(config)) && name.ends_with("Model") && !name.ends_with("LMHeadModel");
    // With the embedding as its head a whole has no more than the stack, but what reads pictures is no part of its
    // text.
    const bool of_text = name.ends_with("TextModel");
    if (puts_another_head(name) || (bare && (!arch.tied || of_text)))
        return Error{as_written(name) + " has no scores for tokens, and of this type nothing else is known here",
                     "architectures", "leave it out, for the model with its output head"};
    return std::nullopt;
}

std::string_view class_without_head(const Architecture& arch) {
    // Families of images and of sound name their towers themselves.
    const bool bare = arch.output == OutputKind::none && !reads_numbers(arch);
    return bare ? base_class(*arch.family) : std::string_view();
}

}  // namespace headcount
