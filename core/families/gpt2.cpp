// GPT-2: learned positions, LayerNorm, biases everywhere, one fused Q/K/V matrix stored [in, out]
// (transformers, modeling_gpt2.py and configuration_gpt2.py).
#include <array>

#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace gpt2 {

constexpr std::array<Module, 25> modules{{
    {0, "", ModuleKind::container, {}, "GPT2LMHeadModel"},
    {1, "transformer", ModuleKind::container, {}, "GPT2Model"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "wpe", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "drop", ModuleKind::dropout, {}, dropout_10},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPT2Block"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPT2Attention"},
    {5, "c_attn", ModuleKind::conv1d, {Part::query, Part::key, Part::value}, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::attention_output, {}},
    {5, "attn_dropout", ModuleKind::dropout, {}, dropout_10},
    {5, "resid_dropout", ModuleKind::dropout, {}, dropout_10},
    // With the norms behind the sub-blocks they keep their names; the other names below no published GPT-2 has.
    {4, "ln_1", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "GPT2MLP"},
    {5, "c_gate", ModuleKind::conv1d, Part::gate, {}},
    {5, "c_fc", ModuleKind::conv1d, Part::up, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::dropout, {}, dropout_10},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "GPT2RotaryEmbedding"},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &gpt2_family();
    read_gpt(reader, arch, {});
    arch.positions = Positions::learned;
    set_biases(arch.layer, true);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_gpt(arch, "GPT2LMHeadModel");
}

Result<Computation> computation(const Architecture& arch) {
    ComputationReader reader(arch);
    Computation computation = reader.read(llama_computation);
    if (!reader.flag("scale_attn_weights", true)) computation.score_scale = 1;
    computation.score_scale_by_layer = reader.flag("scale_attn_by_inverse_layer_idx", false);
    return reader.finish(std::move(computation));
}

constexpr Family family{"gpt2", "GPT-2", "", "transformer", modules, read, write, computation};

}  // namespace gpt2

const Family& gpt2_family() {
    return gpt2::family;
}

}  // namespace headcount
