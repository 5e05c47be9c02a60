// Qwen 2 and 2.5: LLaMA with biases of queries, keys and values; windows behind the first layers, where switched on
// (transformers, modeling_qwen2.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Qwen2">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 22016,
                         .vocab = 151936,
                         .context = 32768,
                         .qkv_bias = true,
                         .qkv_bias_field = {},
                         .qkv_bias_is_output_bias = false};
constexpr WindowFields window{.size = 4096, .has_switch = true};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, qwen2_family(), type);
    read_window(reader, config, arch, window,
                [&] { return LayerSet::all_but_first(reader.number({"max_window_layers"}, 28, 0)); });
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    return config;
}

constexpr Family family{"qwen2", "Qwen 2", classes.rms_norm, "model", modules, read, write};

}  // namespace

const Family& qwen2_family() {
    return family;
}

}  // namespace headcount
