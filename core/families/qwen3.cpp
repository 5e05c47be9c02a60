// Qwen 3: norms of each head's queries and keys (transformers, modeling_qwen3.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Qwen3">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 22016,
                         .head_dim = 128,
                         .vocab = 151936,
                         .context = 32768,
                         .qk_norm = QkNorm::per_head};
constexpr WindowFields window{.size = 4096, .has_switch = true};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, qwen3_family(), type);
    read_window(reader, config, arch, window,
                [&] { return LayerSet::all_but_first(reader.number({"max_window_layers"}, 28, 0)); });
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    return config;
}

constexpr Family family{"qwen3", "Qwen 3", classes.rms_norm, "model", modules, read, write};

}  // namespace

const Family& qwen3_family() {
    return family;
}

}  // namespace headcount
