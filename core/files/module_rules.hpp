// Which of a file's rules holds for a module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/quantizers.hpp"
#include "core/tokenizer/pattern.hpp"

namespace headcount {

class ModuleRules {
  public:
    // Expressions that cannot be read hold for nothing, and are listed.
    explicit ModuleRules(std::vector<ModuleRule> rules);

    // The first that fits "model.layers.0.mlp.up_proj", as it is or within a model of several modes; null: none does.
    const ModuleRule* of(const std::string& module, bool linear) const;

    const std::vector<std::string>& unread() const { return unread_; }

  private:
    struct Readable {
        ModuleRule rule;
        std::vector<std::string> components;
        std::optional<Pattern> expression;
    };

    std::vector<Readable> rules_;
    std::vector<std::string> unread_;
};

}  // namespace headcount
