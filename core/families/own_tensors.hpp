// How a family lists tensors that no part of an architecture stands for, with sizes that its files say.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/family.hpp"

namespace headcount {

// Each `add` is of what the last `in` or `of_model` said.
class OwnTensors {
  public:
    using Place = OwnTensor::Place;

    explicit OwnTensors(const Architecture& arch) : arch_(arch) {}

    // What the file says under that name; `otherwise` where it says nothing of the kind. What was wrong with a field is
    // for the family's reader to say.
    std::int64_t number(std::string_view field, std::int64_t otherwise) const;
    bool flag(std::string_view field, bool otherwise) const;

    OwnTensors& in(LayerSet layers, Place place = Place::mixer);
    OwnTensors& of_model(Place place);
    // Of those that follow: stored, and read by nothing.
    OwnTensors& idle();

    OwnTensors& add(std::string name, std::vector<Expr> shape);
    OwnTensors& buffer(std::string name, std::vector<Expr> shape);
    // "name.weight" [outputs, inputs], and "name.bias" where there is one.
    OwnTensors& linear(const std::string& name, const Expr& outputs, const Expr& inputs, bool bias = false);
    // "name.weight" [width], and "name.bias" likewise.
    OwnTensors& norm(const std::string& name, const Expr& width, bool bias = false);

    std::vector<OwnTensor> take() { return std::move(all_); }

  private:
    const Architecture& arch_;
    OwnTensor like_{};
    std::vector<OwnTensor> all_;
};

}  // namespace headcount
