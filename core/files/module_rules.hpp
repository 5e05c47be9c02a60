// Which of a file's rules holds for a module.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/files/quantizers.hpp"
#include "core/tokenizer/pattern.hpp"

namespace headcount {

class ModuleRules {
  public:
    // Expressions that cannot be read, or try too many ways, hold for nothing, and are listed.
    explicit ModuleRules(std::vector<ModuleRule> rules);

    // The first that fits "model.layers.0.mlp.up_proj", as it is or within a model of several modes; null: none does.
    const ModuleRule* of(const std::string& module, bool linear);

    const std::vector<std::string>& unread() const { return unread_; }

  private:
    struct Readable {
        ModuleRule rule;
        std::vector<std::string> components;
        std::optional<Pattern> expression;
    };

    std::size_t first_plain(const std::vector<std::string>& names) const;
    bool fits(Readable& rule, const std::vector<std::string>& names);

    std::vector<Readable> rules_;
    std::unordered_map<std::string, std::size_t> plain_;  // the first rule of a text that has no "*"
    std::vector<std::size_t> others_;                     // in their order
    std::vector<std::string> unread_;
};

}  // namespace headcount
