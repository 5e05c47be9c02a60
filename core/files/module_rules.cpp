// Looks a module's names up in the rules; see the header.
#include "core/files/module_rules.hpp"

#include <algorithm>

namespace headcount {
namespace {

std::vector<std::string_view> components_of(std::string_view name) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t dot = std::min(name.find('.', from), name.size());
        parts.push_back(name.substr(from, dot - from));
        from = dot + 1;
    }
    return parts;
}

// "*" is any letters, also none. Goes back to the last of them alone, so that it takes no longer than both lengths
// multiplied.
bool fits(std::string_view text, std::string_view pattern) {
    std::size_t at = 0, in = 0, star = std::string_view::npos, from = 0;
    while (at < text.size())
        if (in < pattern.size() && pattern[in] == '*') {
            star = in++;
            from = at;
        } else if (in < pattern.size() && pattern[in] == text[at]) {
            ++in;
            ++at;
        } else if (star != std::string_view::npos) {
            in = star + 1;
            at = ++from;
        } else {
            return false;
        }
    return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

// Whether those stand in the name one after the other.
bool holds(const std::vector<std::string_view>& name, const std::vector<std::string>& wanted) {
    for (std::size_t from = 0; from + wanted.size() <= name.size(); ++from) {
        std::size_t same = 0;
        while (same < wanted.size() && fits(name[from + same], wanted[same])) ++same;
        if (same == wanted.size()) return true;
    }
    return false;
}

// What the module is called in files that hold more than the text's model.
std::vector<std::string> names_of(const std::string& module) {
    constexpr std::string_view base = "model.";
    std::vector<std::string> names{module, "language_model." + module};
    if (module.starts_with(base)) names.push_back("model.language_model." + module.substr(base.size()));
    return names;
}

}  // namespace

ModuleRules::ModuleRules(std::vector<ModuleRule> rules) {
    for (ModuleRule& rule : rules) {
        Readable read{std::move(rule), {}, {}};
        std::string_view text = read.rule.text;
        if (read.rule.says == ModuleRule::Says::components) {
            if (constexpr std::string_view weight = ".weight"; text.ends_with(weight))
                text.remove_suffix(weight.size());
            if (text.find('*') == std::string_view::npos) plain_.emplace(text, rules_.size());
            for (const std::string_view each : components_of(text)) read.components.emplace_back(each);
        } else if (read.rule.says == ModuleRule::Says::expression) {
            Result<Pattern> pattern = Pattern::expression(text, "quantization_config");
            if (pattern)
                read.expression = *std::move(pattern);
            else
                unread_.emplace_back(text);
        }
        if (read.rule.says != ModuleRule::Says::components || text.find('*') != std::string_view::npos)
            others_.push_back(rules_.size());
        rules_.push_back(std::move(read));
    }
}

// The first rule whose text, without a "*", is some of the name's components. However many rules there are, it looks up
// as many texts as a name has runs of components.
std::size_t ModuleRules::first_plain(const std::vector<std::string>& names) const {
    std::size_t first = rules_.size();
    for (const std::string& name : names)
        for (const std::string_view begin : components_of(name))
            for (const std::string_view end : components_of(name)) {
                if (end.data() < begin.data()) continue;
                const auto found = plain_.find(
                    std::string(begin.data(), static_cast<std::size_t>(end.data() + end.size() - begin.data())));
                if (found != plain_.end()) first = std::min(first, found->second);
            }
    return first;
}

bool ModuleRules::fits(Readable& rule, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (rule.rule.says == ModuleRule::Says::components && holds(components_of(name), rule.components)) return true;
        if (!rule.expression) continue;
        const Result<std::vector<Range>> found = rule.expression->find(name, TimeLimit::of_text());
        if (found && !found->empty() && found->front().begin == 0) return true;
        if (found) continue;
        rule.expression.reset();
        unread_.push_back(rule.rule.text);
    }
    return false;
}

const ModuleRule* ModuleRules::of(const std::string& module, bool linear) {
    const std::vector<std::string> names = names_of(module);
    std::size_t first = first_plain(names);
    for (const std::size_t other : others_) {
        if (other >= first) break;
        Readable& rule = rules_[other];
        if (rule.rule.says == ModuleRule::Says::linear ? linear : fits(rule, names)) first = other;
    }
    return first == rules_.size() ? nullptr : &rules_[first].rule;
}

}  // namespace headcount
