// Shipped models that questions have looked through, kept while somebody types.
#pragma once

#include <map>
#include <string>

#include "core/analysis/counted_model.hpp"
#include "core/files/presets.hpp"

namespace headcount {

class AskMemory {
  public:
    // The model with this input; null where it cannot have it. Another input forgets the models of the last.
    CountedModelPtr model(const Preset& preset, const Input& input) {
        if (input != input_) models_.clear();
        input_ = input;
        const auto [at, fresh] = models_.try_emplace(preset.id);
        if (!fresh) return at->second;
        ++expanded_;
        if (const Result<CountedModelPtr> model = counted_model(preset.architecture, input)) at->second = *model;
        return at->second;
    }

    int expanded() const { return expanded_; }  // how many models, all told

  private:
    Input input_;
    std::map<std::string, CountedModelPtr> models_;
    int expanded_ = 0;
};

}  // namespace headcount
