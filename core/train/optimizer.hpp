// What a gradient does to the weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/runtime/pool.hpp"
#include "core/train/parameters.hpp"
#include "core/train/settings.hpp"

namespace headcount {

class Descent {
  public:
    Descent(const ParameterLayout& parameters, const OptimizerSettings& settings);

    // The step of this number, from 0. `gradients` are multiplied by `share` first. The spans are of all that is
    // trained.
    void step(std::int64_t number, double learning_rate, double share, std::span<float> weights,
              std::span<const float> gradients, Pool& pool);

    std::int64_t bytes() const;          // of its moments
    std::int64_t working_bytes() const;  // that Muon writes its matrices down in
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
    std::vector<float> first_, second_, room_;
};

}  // namespace headcount
