// StarCoder 1, SantaCoder: GPT-2 with one key/value head, its matrices stored [out, in]
// (transformers, modeling_gpt_bigcode.py).
#include <array>

#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace gpt_bigcode {

constexpr std::string_view usual_activation = "gelu_pytorch_tanh";

constexpr std::array<Module, 20> modules{{
    {0, "", ModuleKind::container, {}, "GPTBigCodeForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "GPTBigCodeModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "wpe", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "drop", ModuleKind::dropout, {}, dropout_10},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTBigCodeBlock"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPTBigCodeAttention"},
    fused({5, "c_attn", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}}, Fusing::by_group),
    {5, "c_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "resid_dropout", ModuleKind::dropout, {}, dropout_10},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "GPTBigCodeMLP"},
    {5, "c_fc", ModuleKind::linear, Part::up, {}},
    {5, "c_proj", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, "GELUTanh()"},
    {5, "dropout", ModuleKind::dropout, {}, dropout_10},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &gpt_bigcode_family();
    read_gpt(reader, arch, {.activation = usual_activation});
    arch.positions = Positions::learned;
    set_biases(arch.layer, true);
    if (reader.flag({"multi_query"}, true)) arch.layer.attention.kv_heads = 1;
    reader.optional_number({"num_key_value_heads"});  // follows from multi_query: not carried, so that both agree
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_gpt(arch, "GPTBigCodeForCausalLM", usual_activation);
    config["multi_query"] = kv_heads(arch) == 1;
    return config;
}

Result<Computation> computation(const Architecture& arch) {
    ComputationReader reader(arch);
    Computation computation = reader.read(llama_computation);
    if (!reader.flag("scale_attn_weights", true)) computation.score_scale = 1;
    return reader.finish(std::move(computation));
}

constexpr Family family{"gpt_bigcode", "StarCoder", "", "transformer", modules, read, write, computation};

}  // namespace gpt_bigcode

const Family& gpt_bigcode_family() {
    return gpt_bigcode::family;
}

}  // namespace headcount
