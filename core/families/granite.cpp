// Granite 3: LLaMA with multipliers that change no shape (transformers, modeling_granite.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Granite">;
constexpr LlamaType type{.class_name = classes.causal_lm, .mlp_bias_field = "mlp_bias"};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    return reader.finish(read_llama_like(reader, config, granite_family(), type));
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_llama_like(arch, type);
}

constexpr Family family{"granite", "Granite", classes.rms_norm, "model", modules, read, write};

}  // namespace

const Family& granite_family() {
    return family;
}

}  // namespace headcount
