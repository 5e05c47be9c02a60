// How a family lists tensors that no part of an architecture stands for.
#include "core/families/own_tensors.hpp"

#include <nlohmann/json.hpp>

namespace headcount {

std::int64_t OwnTensors::number(std::string_view field, std::int64_t otherwise) const {
    const nlohmann::json& file = arch_.carried.object();
    const auto found = file.find(field);
    return found != file.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

bool OwnTensors::flag(std::string_view field, bool otherwise) const {
    const nlohmann::json& file = arch_.carried.object();
    const auto found = file.find(field);
    return found != file.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

OwnTensors& OwnTensors::in(LayerSet layers, Place place) {
    like_ = {.name = {}, .shape = {}, .place = place, .layers = std::move(layers)};
    return *this;
}

OwnTensors& OwnTensors::of_model(Place place) {
    like_ = {.name = {}, .shape = {}, .place = place};
    return *this;
}

OwnTensors& OwnTensors::idle() {
    like_.idle = true;
    return *this;
}

OwnTensors& OwnTensors::add(std::string name, std::vector<Expr> shape) {
    all_.push_back(like_);
    all_.back().name = std::move(name);
    all_.back().shape = std::move(shape);
    return *this;
}

OwnTensors& OwnTensors::buffer(std::string name, std::vector<Expr> shape) {
    add(std::move(name), std::move(shape));
    all_.back().buffer = true;
    return *this;
}

OwnTensors& OwnTensors::linear(const std::string& name, const Expr& outputs, const Expr& inputs, bool bias) {
    add(name + ".weight", {outputs, inputs});
    return bias ? add(name + ".bias", {outputs}) : *this;
}

OwnTensors& OwnTensors::norm(const std::string& name, const Expr& width, bool bias) {
    add(name + ".weight", {width});
    return bias ? add(name + ".bias", {width}) : *this;
}

}  // namespace headcount
