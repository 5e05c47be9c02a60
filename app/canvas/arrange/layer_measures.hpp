// What the sub-blocks of a layer are measured by: taken from the graph once, because many scales are tried.
#pragma once

#include <memory>

#include "app/canvas/arrange/sketch.hpp"

namespace headcount {

// Of one of latent attention's two rows: sides, the model's or the base's; 0 x 0 for what is not there.
struct LatentRow {
    Sides down, down_bias, bottleneck, shared, norm, norm_bias, up, up_bias, made;
    float down_words = 0, up_words = 0;  // how wide their labels are
    float up_name = 0;                   // ... and the second one's name alone
};
struct LatentMeasures {
    explicit LatentMeasures(const Sketch& sketch);

    LatentRow rows[2];
    Sides joined, output, output_bias, sinks;
    float output_words = 0;
};
bool latent_fits(const Sketch& sketch, const LatentMeasures& measures, const Plan& plan, float scale, bool words);

// Of one feed-forward of a mixture.
struct ExpertMeasures {
    Sides up, down, bias;
    bool gated = false;
};
struct MixtureMeasures {
    explicit MixtureMeasures(const Sketch& sketch);

    ExpertMeasures expert, shared;
    Sides router, shared_weight;
    float router_words = 0, up_words = 0, down_words = 0;
    bool has_shared() const { return shared.up.columns > 0; }
};
bool mixture_fits(const Sketch& sketch, const MixtureMeasures& measures, const Plan& plan, float scale, bool words);

// The largest scale at which a layer's sub-blocks hold what they draw, wherever a plan puts them.
class LayerScale {
  public:
    explicit LayerScale(const Sketch& sketch);
    ~LayerScale();

    float in(const Plan& plan) const;

  private:
    struct Measured;
    const Sketch& sketch_;
    std::unique_ptr<const Measured> measured_;
};

}  // namespace headcount
