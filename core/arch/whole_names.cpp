// What the tensors of a whole file are called, by which version of transformers wrote it.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/arch/family.hpp"

namespace headcount {
namespace {

constexpr int renaming_version = 5;

}  // namespace

bool written_before(const nlohmann::json& file, int version) {
    const auto said = file.find("transformers_version");
    if (said == file.end() || !said->is_string()) return false;
    const auto& text = said->get_ref<const std::string&>();
    int major = version;
    std::from_chars(text.data(), text.data() + text.size(), major);
    return major < version;
}

std::string as_written(const WholeFile& whole, std::string name) {
    const auto begins = [&](const Rewritten& each) { return name.starts_with(each.published); };
    const auto found = std::ranges::find_if(whole.type->rewritten, begins);
    if (found == whole.type->rewritten.end() || written_before(whole.file.object(), renaming_version)) return name;
    return name.replace(0, found->published.size(), found->written);
}

std::string name_in(const WholeFile& whole, std::string name) {
    return as_written(whole, name_in(whole.type->names, std::move(name)));
}

}  // namespace headcount
