// GPT-J: one norm for attention and feed-forward side by side, the first columns of each head turned by position, an
// output head with a bias (transformers, modeling_gptj.py).
#include <array>

#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
namespace gptj {

constexpr std::array<Module, 22> modules{{
    {0, "", ModuleKind::container, {}, "GPTJForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "GPTJModel"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "drop", ModuleKind::dropout, {}, dropout_0},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTJBlock"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPTJAttention"},
    {5, "attn_dropout", ModuleKind::dropout, {}, dropout_0},
    {5, "resid_dropout", ModuleKind::dropout, {}, dropout_0},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},  // of an edited one: as GPT-2 calls it
    {4, "mlp", ModuleKind::container, {}, "GPTJMLP"},
    {5, "fc_in", ModuleKind::linear, Part::up, {}},
    {5, "fc_out", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::dropout, {}, dropout_0},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &gptj_family();
    read_gpt(reader, arch, {.dim = 4096, .layers = 28, .heads = 16, .vocab = 50400, .context = 2048, .tied = false});
    arch.layer.attention.rotary_dim = reader.number({"rotary_dim"}, 64);
    arch.layer.joining = Joining::parallel_shared;
    arch.head_bias = true;
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_gpt(arch, "GPTJForCausalLM");
    config["rotary_dim"] =
        arch.layer.attention.rotary_dim.value_or(bindings(arch, Input{})[Symbol::head_dim].value_or(0));
    return config;
}

constexpr ComputationType computing{.pairs = RopePairs::neighbours};

constexpr Family family{"gptj", "GPT-J", "", "transformer", modules, read, write, compute<computing>};

}  // namespace gptj

const Family& gptj_family() {
    return gptj::family;
}

}  // namespace headcount
