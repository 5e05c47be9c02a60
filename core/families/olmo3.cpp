// OLMo 3: OLMo 2 with a window in three of four layers (transformers, modeling_olmo3.py).
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Olmo3">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .vocab = 50304,
                         .qk_norm = QkNorm::across,
                         .norm = {.placement = NormPlacement::after, .epsilon = 1e-5}};
constexpr WindowFields window{.size = 4096};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, olmo3_family(), type);
    read_window(reader, config, arch, window, [] { return all_but_every(4); });
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    return config;
}

constexpr Family family{"olmo3", "OLMo 3", classes.rms_norm,  "model",      modules,
                        read,    write,    /*verified=*/true, /*padding=*/1};

}  // namespace

const Family& olmo3_family() {
    return family;
}

}  // namespace headcount
