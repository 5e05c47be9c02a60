// Two architectures field by field: in which they differ, and one of them with a field of the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/arch/fields.hpp"

namespace headcount {

// The fields whose value in effect differs, in the order of fields(). A part that only one of them has is one change,
// of the field that brings it in.
std::vector<Field> changed_fields(const Architecture& from, const Architecture& to);

// A field's value as people read it: "128", "none"; of a rule what it makes.
std::string field_words(const Architecture& arch, Field field);

// `to` with one field as `from` has it. A part that one of them lacks comes or goes as a whole, and so does a width
// whose rule does; nothing where `from` has no such field. Whether the result is possible is for `validate`.
std::optional<Architecture> with_field_of(Architecture to, const Architecture& from, Field field);

// Parts that an architecture may lack, each brought in by one field: a mixture by its experts, a window by its size,
// latent attention by its rank. Nothing of a field that is in none of them.
std::optional<Field> part_with(Field field);
bool has_part(const Architecture& arch, Field part);

}  // namespace headcount
