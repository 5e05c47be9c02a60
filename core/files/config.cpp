// Hugging Face configurations: reading one as an architecture, and writing an architecture as one.
#include "core/files/config.hpp"

#include "core/arch/validate.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace {

std::string known_types() {
    std::string known;
    for (const Family* family : families()) known += (known.empty() ? "" : ", ") + std::string(family->type);
    return known;
}

}  // namespace

Result<Architecture> read_config(const nlohmann::json& config, std::string_view where) {
    std::string place(where);
    auto type = config.find("model_type");
    if (type == config.end() || !type->is_string())
        return Error{"there is no model_type", place, "give one of " + known_types()};
    const Family* family = find_family(type->get<std::string>());
    if (!family)
        return Error{"model_type " + as_written(*type) + " is not known yet", place,
                     "open one of these types: " + known_types()};
    Result<Architecture> arch = family->read(config);
    if (!arch) return within(place, arch.error());
    if (std::vector<Problem> problems = validate(*arch); !problems.empty())
        return within(place, problems.front().error);
    return arch;
}

namespace {

// Whether the two say the same about a field: the value in effect, not how it came about.
bool same(const Architecture& a, const Architecture& b, const FieldInfo& field) {
    if (field.field == Field::ffn_multiple_of || field.field == Field::ffn_multiplier) return true;
    if (field.kind == FieldKind::number) return field_number(a, field.field) == field_number(b, field.field);
    const std::optional<std::string> one = field_text(a, field.field), other = field_text(b, field.field);
    if (field.kind != FieldKind::layers || !one || !other) return one == other;
    return LayerSet::parse(*one, field.key)->same_in(*LayerSet::parse(*other, field.key), a.layers);
}

}  // namespace

Result<nlohmann::ordered_json> write_config(const Architecture& arch) {
    nlohmann::ordered_json written = arch.family->write(arch);
    // What the model's own file said besides changes no shape, and still decides what it computes.
    for (const auto& [key, text] : arch.carried.fields())
        if (!written.contains(key)) written[key] = nlohmann::ordered_json::parse(text, nullptr, false);
    Result<Architecture> back = read_config(nlohmann::json(written), "export");
    if (!back) return back.error();
    std::string lost;
    for (const FieldInfo& field : fields())
        if (!same(arch, *back, field)) lost += (lost.empty() ? "" : ", ") + std::string(field.key);
    if (!lost.empty())
        return Error{"a " + std::string(arch.family->type) + " configuration has no word for this choice of " + lost,
                     "export", "save it as FILE.headcount, or set these fields back"};
    return written;
}

}  // namespace headcount
