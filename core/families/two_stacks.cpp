// Files in which an encoder and a decoder have a configuration each.
#include "core/families/two_stacks.hpp"

namespace headcount {

std::optional<Error> wrong_around_stacks(const nlohmann::json& config) {
    for (const char* name : {"encoder", "decoder"})
        if (const nlohmann::json* stack = said(config, name); stack && !stack->is_object())
            return Error{as_written(*stack) + " is no object", name, "give the stack's own configuration"};
    ConfigReader whole(config);
    whole.flag({"is_encoder_decoder"}, true);  // it is, whatever the file says
    whole.flag({"tie_word_embeddings"}, true);
    return whole.error();
}

nlohmann::ordered_json with_carried(nlohmann::ordered_json config, const Architecture& arch) {
    for (const auto& [key, text] : arch.carried.fields())
        if (!config.contains(key)) config[key] = nlohmann::ordered_json::parse(text, nullptr, false);
    return config;
}

nlohmann::ordered_json write_stacks(const Architecture& arch, const nlohmann::ordered_json& encoder,
                                    const nlohmann::ordered_json& decoder) {
    return {{"architectures", {arch.family->modules.front().class_name}},
            {"model_type", arch.family->type},
            {"is_encoder_decoder", true},
            {"encoder", encoder},
            {"decoder", decoder}};
}

}  // namespace headcount
