// What a gradient does to the weights.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/runtime/pool.hpp"
#include "core/train/parameters.hpp"

namespace headcount {

enum class OptimizerKind {
    adamw,  // Loshchilov & Hutter 2019: two moments, decay apart from the gradient
    sgd,    // with momentum
    muon,   // Jordan et al. 2024: matrices of layers by orthogonal steps, all else by AdamW
};
inline constexpr std::array<std::string_view, 3> optimizer_kind_words{"adamw", "sgd", "muon"};

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::adamw;
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double momentum = 0.9;      // of SGD and Muon
    double weight_decay = 0.1;  // of matrices, not of vectors; times the learning rate

    bool operator==(const OptimizerSettings&) const = default;
};

class Descent {
  public:
    Descent(const ParameterLayout& parameters, const OptimizerSettings& settings);

    // The step of this number, from 0. `gradients` are multiplied by `share` first. The spans are of all that is
    // trained.
    void step(std::int64_t number, double learning_rate, double share, std::span<float> weights,
              std::span<const float> gradients, Pool& pool);

    std::int64_t bytes() const;
    std::vector<float>& first() { return first_; }
    std::vector<float>& second() { return second_; }
    const std::vector<float>& first() const { return first_; }
    const std::vector<float>& second() const { return second_; }

  private:
    // Parameters behind each other that are treated alike.
    struct Piece {
        std::int64_t offset = 0, floats = 0, rows = 0, columns = 0;
        std::int64_t second = 0;  // where its second moments begin
        bool decays = false, orthogonal = false;
    };

    void adamw(const Piece& piece, std::int64_t number, double rate, float share, std::span<float> weights,
               std::span<const float> gradients, Pool& pool);
    void muon(const Piece& piece, double rate, float share, std::span<float> weights, std::span<const float> gradients);

    OptimizerSettings settings_;
    std::vector<Piece> pieces_;
    std::vector<float> first_, second_;
};

}  // namespace headcount
