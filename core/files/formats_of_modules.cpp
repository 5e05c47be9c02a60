// Asks the rules for every matrix, layer by layer.
#include "core/files/formats_of_modules.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/stored_weights.hpp"
#include "core/arch/layers.hpp"
#include "core/files/formats_by_name.hpp"
#include "core/files/module_rules.hpp"

namespace headcount {
namespace {

std::string module_of(std::string name, std::int64_t layer, std::int64_t expert) {
    name = name_at(std::move(name), {layer, expert});
    constexpr std::string_view weight = ".weight";
    if (name.ends_with(weight)) name.resize(name.size() - weight.size());
    return name;
}

// How many of the parts are keys or values, which a file may keep a scale of the cache beside.
std::int64_t cached_parts(const ModelGraph& graph, const StoredTensor& stored) {
    return std::ranges::count_if(stored.parts, [&](TensorIndex part) {
        return graph.tensors[part].part == Part::key || graph.tensors[part].part == Part::value;
    });
}

class Naming {
  public:
    Naming(const Architecture& arch, const ModelGraph& graph, const Quantizing& quantizing)
        : arch_(arch), graph_(graph), quantizing_(quantizing), rules_(quantizing.rules) {
        if (arch.layer.mixture) last_expert_ = arch.layer.mixture->experts - 1;
        for (const StoredTensor& stored : graph.stored) add(stored);
    }

    FormatsOfModules found() const {
        return {by_name_.formats(quantizing_.kinds), experts_differ_, senses_open_, rules_.unread()};
    }

  private:
    void add(const StoredTensor& stored) {
        const TensorIndex first = stored.parts.front();
        const WeightKind kind = weight_kind(graph_, first);
        if (is_sense(graph_.tensors[first].component) && stored.shape.rank() == 2) {
            const ModuleRule* const rule = rules_.of(module_of(stored.name, 0, 0), true);
            senses_open_ = senses_open_ || (rule ? rule->stored.has_value() : quantizing_.every_linear);
        }
        if (kind == WeightKind::norm || kind == WeightKind::embedding) return;
        // Routers are no linear layers, and what has a single output is left alone.
        const bool linear = kind != WeightKind::router, alone = graph_.tensors[first].shape[1] == Expr(1);
        const Precision usual = alone ? quantizing_.kinds.rest : quantizing_.kinds.of(kind);
        const std::int64_t scales = quantizing_.cache_scale * cached_parts(graph_, stored);
        for (const std::int64_t layer : layers_with(stored)) {
            const auto of_expert = [&](std::int64_t expert) {
                const ModuleRule* const rule = rules_.of(module_of(stored.name, layer, expert), linear);
                return rule ? rule->stored.value_or(quantizing_.kinds.rest) : usual;
            };
            Precision format = of_expert(0);
            if (last_expert_ > 0 && stored.name.find("{e}") != std::string::npos)
                experts_differ_ = experts_differ_ || of_expert(last_expert_) != format;
            if (scales > 0) {
                Layout shared = layout(format);
                shared.tensor_bits += scales;
                format = Precision(format.numbers, shared);
            }
            by_name_.put(stored.name, kind, layer, format);
        }
    }

    std::vector<std::int64_t> layers_with(const StoredTensor& stored) const {
        if (!stored.layer) return {0};
        return layers_of(arch_, graph_.layers[*stored.layer].group);
    }

    const Architecture& arch_;
    const ModelGraph& graph_;
    const Quantizing& quantizing_;
    ModuleRules rules_;
    std::int64_t last_expert_ = 0;
    bool experts_differ_ = false, senses_open_ = false;
    FormatsByName by_name_;
};

}  // namespace

FormatsOfModules formats_of_modules(const Architecture& arch, const ModelGraph& graph, const Quantizing& quantizing) {
    return Naming(arch, graph, quantizing).found();
}

}  // namespace headcount
