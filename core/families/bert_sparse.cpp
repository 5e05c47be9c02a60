// Encoders with BERT's layers for long texts: BigBird (Zaheer et al. 2020) and Longformer (Beltagy et al. 2020), whose
// tokens see those around them, and three whose attention is an approximation: Nyströmformer (Xiong et al. 2021), YOSO
// (Zeng et al. 2021) and MRA (Zeng et al. 2022) (transformers, modeling_big_bird.py, modeling_longformer.py,
// modeling_nystromformer.py, modeling_yoso.py, modeling_mra.py).
#include <cmath>

#include "core/base/text.hpp"
#include "core/families/bert_like.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bert_sparse {

constexpr auto big_bird_modules =
    join(bert_root_modules<"BigBird">("bert"), bert_embedding_modules<"BigBird">, bert_layer_modules<"BigBird">,
         std::to_array<Module>({
             {2, "pooler", ModuleKind::linear, Part::pooler, {}},
             {2, "activation", ModuleKind::stateless, {}, "Tanh()", Part::pooler},
         }),
         bert_head_modules<"BigBird">);
// Up to so many tokens it looks at all of them: blocks of the beginning, the end, three around and two sets drawn at
// random would be no fewer.
void compute_big_bird(ComputationReader& reader, Computation& computation) {
    if (reader.flag("rescale_embeddings", false))
        computation.embedding_scale = std::sqrt(static_cast<double>(reader.arch().dim));
    const std::int64_t size = reader.number("block_size", 64), drawn = reader.number("num_random_blocks", 3);
    const std::optional<std::int64_t> tokens = drawn < 1'000'000 ? checked_multiply(5 + 2 * drawn, size) : std::nullopt;
    if (reader.text("attention_type", "block_sparse") == "block_sparse")
        computation.limit = TokenLimit{tokens.value_or(size), "each looks at some blocks alone, drawn at random"};
}
constexpr BertType big_bird{.called = {"big_bird", "BigBird", big_bird_modules},
                            .usual = {.vocab = 50358, .context = 4096},
                            .activation = "gelu_new",
                            .always_pools = true,
                            .computing = {.rest = compute_big_bird},
                            .ignored = "attention_type block_size num_random_blocks rescale_embeddings use_bias",
                            .own = {[](ConfigReader& reader, Architecture& arch) {
                                        arch.layer.attention.qkv_bias = reader.flag({"use_bias"}, true);
                                    },
                                    [](nlohmann::ordered_json& config, const Architecture& arch) {
                                        config["use_bias"] = arch.layer.attention.qkv_bias;
                                    }}};

constexpr auto longformer_modules =
    join(bert_root_modules<"Longformer">("longformer"), positions_last_modules<"Longformer">,
         bert_layer_modules<"Longformer">, bert_pooler_modules<"Longformer">, roberta_head_modules<"Longformer">);
constexpr BertType longformer{
    .called = {"longformer", "Longformer", longformer_modules},
    .positions_behind_padding = true,
    .computing = {.head_activation = Activation::gelu},
    .padding = 1,
    .ignored = "onnx_export",
    .own = {[](ConfigReader& reader, Architecture& arch) {
                const std::int64_t window = reader.number_of_all({"attention_window"}, 512, 2);
                if (window % 2 != 0)
                    reader.reject("attention_window", "half of " + grouped(window) + " is no number of tokens",
                                  "give an even number");
                arch.layer.attention.window = AttentionWindow{.size = window, .layers = {}};
            },
            [](nlohmann::ordered_json& config, const Architecture& arch) {
                if (const auto& window = arch.layer.attention.window) config["attention_window"] = window->size;
            }},
    .besides = [](const Architecture&) { return global_matrices("attention.self."); }};

void compute_no_approximation(ComputationReader& reader, Computation&) {
    reader.reject("model_type", "how this type comes near to attention is not computed here", "count it; a BERT runs");
}

// One filter a head over its values, as long as the field says; none where that is absent.
std::vector<Extra> filter_of(const Architecture& arch, std::string_view field, std::int64_t otherwise) {
    const nlohmann::json& said = arch.carried.object();
    ConfigReader reader(said);
    const std::int64_t length = said.contains(field) ? reader.optional_number({field}).value_or(0) : otherwise;
    if (length == 0) return {};
    return {{.component = Component::attention,
             .name = "attention.self.conv",
             .label = "Filters of values",
             .symbol = "C_v",
             .meaning = "For each of {h} heads a filter over its values along the tokens; not computed here.",
             .weight = {Symbol::heads, 1, length, 1},
             .in_layers = true}};
}

template <FixedText name>
constexpr auto approximating_modules(std::string_view base) {
    return join(bert_root_modules<name>(base), bert_embedding_modules<name>, bert_layer_modules<name>,
                bert_head_modules<name>);
}
constexpr auto nystrom_modules = approximating_modules<"Nystromformer">("nystromformer");
constexpr BertType nystrom{
    .called = {"nystromformer", "Nyströmformer", nystrom_modules},
    .usual = {.vocab = 30000, .context = 510},
    .epsilon = 1e-5,
    .activation = "gelu_new",
    .position_offset = 2,
    .pools = false,
    .computing = {.rest = compute_no_approximation},
    .padding = 1,
    .ignored = "conv_kernel_size inv_coeff_init_option num_landmarks segment_means_seq_len",
    .own = {[](ConfigReader& reader, Architecture&) { carry_number(reader, "conv_kernel_size", 65); }},
    .besides = [](const Architecture& arch) { return filter_of(arch, "conv_kernel_size", 65); }};

constexpr auto yoso_modules = approximating_modules<"Yoso">("yoso");
constexpr BertType yoso{.called = {"yoso", "YOSO", yoso_modules},
                        .usual = {.vocab = 50265, .context = 4096},
                        .token_types = 1,
                        .position_offset = 2,
                        .pools = false,
                        .computing = {.rest = compute_no_approximation},
                        .padding = 1,
                        .ignored = "conv_window hash_code_len lsh_backward num_hash use_expectation use_fast_hash",
                        .own = {[](ConfigReader& reader, Architecture&) { carry_number(reader, "conv_window", 0); }},
                        .besides = [](const Architecture& arch) { return filter_of(arch, "conv_window", 0); }};

constexpr auto mra_modules = approximating_modules<"Mra">("mra");
constexpr BertType mra{
    .called = {"mra", "MRA", mra_modules},
    .usual = {.vocab = 50265},
    .token_types = 1,
    .epsilon = 1e-5,
    .position_offset = 2,
    .pools = false,
    .computing = {.rest = compute_no_approximation},
    .padding = 1,
    .ignored = "approx_mode block_per_row initial_prior_diagonal_n_blocks initial_prior_first_n_blocks"};

}  // namespace bert_sparse

constexpr Family big_bird_family = bert_like<bert_sparse::big_bird>();
constexpr Family longformer_family = bert_like<bert_sparse::longformer>();
constexpr Family nystromformer_family = bert_like<bert_sparse::nystrom>();
constexpr Family yoso_family = bert_like<bert_sparse::yoso>();
constexpr Family mra_family = bert_like<bert_sparse::mra>();

}  // namespace headcount
