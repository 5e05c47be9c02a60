// Reads from an architecture's carried fields what its model computes beside its shapes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/arch/computation.hpp"
#include "core/families/config_reader.hpp"

namespace headcount {

class ComputationReader;

// What an absent field means in a model_type, and what is so in all models of it. A spelling that is empty: no field
// says it.
struct ComputationType {
    double rope_base = 10000;
    std::string_view rope_base_field = "rope_theta";  // at the top of the file
    RopePairs pairs = RopePairs::halves;
    IndexHeads index_heads{};
    // The base and the scaling that layers with a window have where they differ: a base of their own, and no scaling.
    bool windowed_apart = false;
    std::optional<double> windowed_base{};  // absent: that of the others
    std::string_view windowed_base_field = "rope_local_base_freq";

    bool root_embedding_scale = false;  // embedded rows times the root of the width
    double norm_offset = 0;
    std::optional<double> logit_scale{};  // logit_scale's default where there is such a field
    bool granite = false;                 // embedding_multiplier, residual_multiplier, logits_scaling
    std::string_view score_scalar{};      // query_pre_attn_scalar: one over its root scales the scores
    double score_scalar_otherwise = 0;
    std::optional<double> score_cap{}, logit_cap{};  // defaults of the soft caps where there are such fields; 0: none
    bool clips = false;                              // clip_qkv
    Routing routing{};
    bool normalizes = false;  // norm_topk_prob decides whether the router's weights are normalized
    bool grouped = false;     // n_group and topk_group: groups of experts, and how many of them may give any
    std::string_view routing_scale_field{};       // what the router's weights are multiplied by; null says the default
    bool yarn_scores = false;                     // mscale_all_dim scales the scores too (DeepSeek)
    std::optional<Activation> head_activation{};  // of a masked head, whatever the feed-forward's is
    std::string_view refused{};  // what of this type is not computed here: its models are counted alone
    void (*rest)(ComputationReader& reader, Computation& computation) = nullptr;  // what only this type says
};

// How what only one type's files say is read and written; null: nothing.
struct OwnFields {
    void (*read)(ConfigReader& reader, Architecture& arch) = nullptr;
    void (*write)(nlohmann::ordered_json& config, const Architecture& arch) = nullptr;
};

// The fields by name, with a default each; the first that is wrong is kept.
class ComputationReader {
  public:
    explicit ComputationReader(const Architecture& arch);
    ComputationReader(const ComputationReader&) = delete;
    ComputationReader& operator=(const ComputationReader&) = delete;

    // All that a type says, but for what only it says.
    Computation read(const ComputationType& type);

    // A finite number above zero, or what an absent field means.
    double positive(std::string_view name, double otherwise) { return fields_.positive({name}).value_or(otherwise); }
    // The same where null means that there is none; 0 as default too.
    std::optional<double> cap(std::string_view name, double otherwise);
    double real(std::string_view name, double otherwise) { return fields_.real({name}, otherwise); }  // of any sign
    bool flag(std::string_view name, bool otherwise);  // a number is true unless it is 0: Llama 4's files have a 4
    std::int64_t number(std::string_view name, std::int64_t otherwise) { return fields_.number({name}, otherwise); }
    std::string text(std::string_view name, std::string_view otherwise) { return fields_.text({name}, otherwise); }
    Activation activation(std::string_view name, std::string_view otherwise) {
        return read_activation(fields_, {name}, otherwise);
    }
    const nlohmann::json* object(std::string_view name) { return fields_.object({name}); }
    // Whether the file says anything of the scaling of rotary positions; else a type's own may hold.
    bool says_rope() { return object("rope_scaling") || object("rope_parameters"); }
    void reject(std::string_view name, std::string what, std::string fix) {
        fields_.reject(name, std::move(what), std::move(fix));
    }

    // Says that a run of this type was never compared with transformers; `like`, "a GPT-2", was.
    void reject_uncompared(const std::string& like) {
        reject("model_type", "how it runs was not compared with transformers", "count it; " + like + " runs");
    }

    // With what is refused: the first field that was rejected; more heads than ALiBi has slopes for here, which then
    // are left out.
    Computation finish(Computation computation) const;

    const Architecture& arch() const { return arch_; }

  private:
    void keep(const Error& error);
    void read_routing(const ComputationType& type, Routing& routing);
    void read_ropes(const ComputationType& type, Computation& computation);
    void read_score_scale(const ComputationType& type, Computation& computation);

    const Architecture& arch_;
    const nlohmann::json& json_;
    ConfigReader fields_;
};

Computation compute(const Architecture& arch, const ComputationType& type);
template <const ComputationType& type>
Computation compute(const Architecture& arch) {
    return compute(arch, type);
}

// More heads than these get no slopes: `finish` refuses them.
inline constexpr std::int64_t most_slopes = 1 << 20;

}  // namespace headcount
