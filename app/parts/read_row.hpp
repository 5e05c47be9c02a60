// A row whose value is typed and read: what cannot be read stays in its field, with what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/parts/words.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/typed_row.hpp"

namespace headcount {

// `read` makes a Result of a text. What was typed in this frame, if it could be read.
template <class Read>
auto read_row(const Ui& ui, std::string_view name, TypedRow row, const Read& read) {
    using Value = std::remove_cvref_t<decltype(*read(std::string()))>;
    std::string said;
    {
        const IdScope scope(name);
        if (const std::string refused(refused_text(ui, "field")); !refused.empty())
            if (const auto again = read(refused); !again)
                said = sentence_of({again.error().what, "", again.error().fix});
    }
    if (!said.empty()) row.error = FieldError{said, {}};
    const TypedRowResult result = typed_row(ui, name, row);
    if (!result.typed) return std::optional<Value>();
    if (auto value = read(*result.typed)) return std::optional<Value>(*std::move(value));
    const IdScope scope(name);
    refuse(ui, "field", *result.typed, {.text = row.text, .row = name});
    return std::optional<Value>();
}

}  // namespace headcount
