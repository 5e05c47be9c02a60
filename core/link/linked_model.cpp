// From a model to the fields that a link says, and back.
#include "core/link/linked_model.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/files/documents.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {
namespace {

// In all that is counted.
bool same_shapes(Architecture a, const Architecture& b) {
    a.name = b.name;
    a.carried = b.carried;
    return a == b;
}

std::optional<Architecture> with_entries(Architecture arch, const LinkEntries& entries) {
    for (const LinkEntry& entry : entries) {
        Result<Architecture> next = with_field(std::move(arch), entry.key, entry.value);
        if (!next) return std::nullopt;
        arch = *std::move(next);
    }
    return arch;
}

// What a change brings with it need not be said.
void leave_out_needless(LinkEntries& entries, const Architecture& base, const Architecture& arch) {
    for (std::size_t i = entries.size(); i-- > 0;) {
        LinkEntries fewer = entries;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        const std::optional<Architecture> made = with_entries(base, fewer);
        if (made && same_shapes(*made, arch)) entries = std::move(fewer);
    }
}

// Nothing where fields do not lead from one to the other.
std::optional<LinkEntries> changes(const Architecture& base, const Architecture& arch) {
    constexpr int most_rounds = 3;  // a part that a field brings in has fields of its own, some of them before it
    if (base.family != arch.family) return std::nullopt;
    Architecture now = base;
    LinkEntries entries;
    for (int round = 0; round < most_rounds && !same_shapes(now, arch); ++round)
        for (const FieldInfo& field : fields()) {
            const std::optional<std::string> wanted = field_text(arch, field.field);
            if (!wanted || field_text(now, field.field) == wanted) continue;
            Result<Architecture> next = with_field(now, field.field, *wanted);
            if (!next) continue;
            now = *std::move(next);
            entries.push_back({std::string(field.key), *wanted});
        }
    if (!same_shapes(now, arch)) return std::nullopt;
    leave_out_needless(entries, base, arch);
    return entries;
}

LinkEntries named(const Preset& preset, LinkEntries changes) {
    changes.insert(changes.begin(), {std::string(link_model), preset.id});
    return changes;
}

}  // namespace

bool is_field(std::string_view key) {
    return std::ranges::any_of(fields(), [&](const FieldInfo& field) { return field.key == key; });
}

Result<LinkEntries> model_entries(const Architecture& arch, std::string_view preset, std::span<const Preset> presets) {
    if (const Preset* const own = find_preset(presets, preset))
        if (std::optional<LinkEntries> found = changes(own->architecture, arch)) return named(*own, *std::move(found));
    std::optional<LinkEntries> fewest;
    const Preset* nearest = nullptr;
    for (const Preset& each : presets) {
        std::optional<LinkEntries> found = changes(each.architecture, arch);
        if (!found || (fewest && found->size() >= fewest->size())) continue;
        fewest = std::move(found);
        nearest = &each;
    }
    if (fewest) return named(*nearest, *std::move(fewest));
    return Error{"no link can say this model: there is no preset of which fields make it", arch.name,
                 "save it as a file (export -o model.headcount), and hand that on"};
}

Result<Document> model_of(const LinkEntries& entries, std::span<const Preset> presets) {
    std::string id(first_preset);
    for (const LinkEntry& entry : entries)
        if (entry.key == link_model) id = entry.value;
    const Result<const Preset*> preset = preset_named(presets, id, "link, m");
    if (!preset) return preset.error();
    Document document = document_of(**preset);
    for (const LinkEntry& entry : entries) {
        if (!is_field(entry.key)) continue;
        Result<Architecture> changed = with_field(std::move(document.architecture), entry.key, entry.value);
        if (!changed) return within("link", changed.error());
        document.architecture = *std::move(changed);
    }
    if (const std::vector<Problem> problems = validate(document.architecture); !problems.empty())
        return within("link", problems.front().error);
    document.input = published_input(document.architecture);
    return document;
}

}  // namespace headcount
