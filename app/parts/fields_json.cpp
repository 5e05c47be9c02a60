// Writes a model's fields as JSON.
#include "app/parts/fields_json.hpp"

#include <nlohmann/json.hpp>

#include "core/arch/fields.hpp"

namespace headcount {

nlohmann::ordered_json fields_json(const Architecture& arch) {
    auto json = nlohmann::ordered_json::object();
    for (const FieldInfo& field : fields()) {
        const std::string key(field.key);
        if (field.kind == FieldKind::number) {
            if (const auto number = field_number(arch, field.field)) json[key] = *number;
        } else if (const auto text = field_text(arch, field.field)) {
            json[key] = *text;
        }
    }
    return json;
}

}  // namespace headcount
