// Tensors by what they are in every layer, for those who ask how large a model's parts are.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headcount {

// "model.layers.3.mlp.experts.7.w1.weight" is filed under "*.mlp.experts.{e}.w1.weight", whatever the layers are
// called; what is in no layer under its own name. Of several layers the first one's shape counts.
class TensorIndex {
  public:
    using Shape = std::vector<std::int64_t>;
    using Names = std::initializer_list<std::string_view>;

    void add(std::string_view name, const Shape& shape);

    bool has(Names names) const { return find(names) != nullptr; }
    // The first of the names that is there; null where none is.
    const Shape* find(Names names) const;
    // Layers are counted from 0 to the highest that is there.
    std::int64_t layers() const { return layers_; }
    // The layers that have one of these.
    std::set<std::int64_t> layers_with(Names names) const;
    bool empty() const { return entries_.empty(); }

  private:
    struct Entry {
        Shape shape;
        std::set<std::int64_t> layers;
    };
    std::map<std::string, Entry, std::less<>> entries_;
    std::int64_t layers_ = 0;
};

}  // namespace headcount
