// Ministral: Mistral with a window in the layers that layer_types names (transformers, modeling_ministral.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Ministral">;
constexpr LlamaType type{
    .class_name = classes.causal_lm, .ffn_dim = 14336, .kv_heads = 8, .context = 131072, .qkv_bias_field = {}};
constexpr WindowFields window{.size = 4096};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, ministral_family(), type);
    read_window(reader, config, arch, window, every_layer);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    return config;
}

constexpr Family family{"ministral", "Ministral", classes.rms_norm, "model", modules, read, write};

}  // namespace

const Family& ministral_family() {
    return family;
}

}  // namespace headcount
