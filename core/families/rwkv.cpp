// RWKV-4 (Peng et al. 2023): a mean of all values whose weights fade in the place of attention, and a feed-forward that
// a gate of its own lets through (transformers, modeling_rwkv.py).
#include "core/families/families.hpp"
#include "core/families/rwkv_like.hpp"

namespace headcount {
namespace rwkv {

constexpr auto modules = join(first_modules<"Rwkv">,
                              std::to_array<Module>({
                                  {5, "time_decay", ModuleKind::bare, Part::decay_rate, {}},
                                  {5, "time_first", ModuleKind::bare, Part::first_weight, {}},
                                  {5, "time_mix_key", ModuleKind::bare_rows, Part::key_blend, {}},
                                  {5, "time_mix_value", ModuleKind::bare_rows, Part::value_blend, {}},
                                  {5, "time_mix_receptance", ModuleKind::bare_rows, Part::gate_blend, {}},
                                  {5, "key", ModuleKind::linear, Part::state_key, {}},
                                  {5, "value", ModuleKind::linear, Part::state_value, {}},
                                  {5, "receptance", ModuleKind::linear, Part::state_gate, {}},
                                  {5, "output", ModuleKind::linear, Part::state_output, {}},
                              }),
                              last_modules<"Rwkv">("time_mix_key", "time_mix_receptance"));

void read_rest(ConfigReader& reader, Architecture& arch) {
    const std::int64_t width = reader.optional_number({"attention_hidden_size"}).value_or(arch.dim);
    arch.layer.recurrence = Recurrence{.state_dim = 1,
                                       .heads = 1,
                                       .groups = 1,
                                       .head_dim = width,
                                       .conv_bias = false,
                                       .norm = false,
                                       .kind = RecurrenceKind::weighted_mean,
                                       .layers = {}};
    // As it would be if some layers had it.
    constexpr std::int64_t usual = 64;
    arch.layer.attention.heads = arch.dim % usual == 0 ? arch.dim / usual : 1;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    config["attention_hidden_size"] = recurrence ? recurrence->head_dim : arch.dim;
}

// The norm behind the layers has PyTorch's epsilon, whatever the file says of the others.
constexpr ComputationType computing{
    .rest = [](ComputationReader&, Computation& computation) { computation.final_norm_epsilon = 1e-5; }};
// Every so many layers transformers halves the stream, and the matrices that add to it, so that float16 holds them: the
// norms undo it.
constexpr std::string_view ignored = "rescale_every";
constexpr PlainType type = changed(first_type, [](PlainType& own) {
    own.called.modules = modules;
    own.computing = computing;
    own.own = {read_rest, write_rest};
    own.rest.ignored = ignored;
});

}  // namespace rwkv

constexpr std::array<std::string_view, 4> rwkv_adapted{"key", "value", "receptance", "output"};
constexpr Family rwkv_family = known_to_peft(plain_family<rwkv::type>(), {.modules = rwkv_adapted});

}  // namespace headcount
