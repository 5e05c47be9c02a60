// What the tensors of a file are called, by whether it is a whole, ends in a head, and who wrote it.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/arch/family.hpp"

namespace headcount {
namespace {

constexpr int renaming_version = 5;
constexpr std::string_view base = "model.";

}  // namespace

bool written_before(const nlohmann::json& file, int version) {
    const auto said = file.find("transformers_version");
    if (said == file.end() || !said->is_string()) return false;
    const auto& text = said->get_ref<const std::string&>();
    int major = version;
    std::from_chars(text.data(), text.data() + text.size(), major);
    return major < version;
}

std::string as_written(const Architecture& arch, std::string name) {
    const bool bare = !has_head(arch);
    const Wrapper* const whole = arch.whole ? arch.whole->type : nullptr;
    if (whole && bare && name.starts_with(base)) name.erase(0, base.size());
    std::span<const Rewritten> all;
    if (bare) all = whole ? whole->bare_rewritten : arch.family->bare_rewritten;
    if (!bare && whole) all = whole->rewritten;
    const auto found =
        std::ranges::find_if(all, [&](const Rewritten& each) { return name.starts_with(each.published); });
    if (found == all.end()) return name;
    if (written_before(whole ? arch.whole->file.object() : arch.carried.object(), renaming_version)) return name;
    return name.replace(0, found->published.size(), found->written);
}

std::string name_in_file(const Architecture& arch, std::string name) {
    if (!arch.whole) return as_written(arch, std::move(name));
    const WholeNames& names = arch.whole->type->names;
    // Beside a tower in the same module the text has no name of its own, until that module is the whole.
    const std::string_view text = names.base == base && !has_head(arch) ? "language_model." : names.base;
    if (!has_head(arch)) return as_written(arch, std::string(text) + name);
    const bool inner = name.starts_with(base);
    return as_written(arch, name.replace(0, inner ? base.size() : 0, inner ? text : names.rest));
}

}  // namespace headcount
