// What is impossible about the document, sorted by the row that says it, each with the document that would mend it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/intent.hpp"

namespace headcount {

enum class InputField { tokens, source, batch, cached };
inline constexpr std::string_view input_key(InputField field) {
    constexpr std::string_view keys[] = {"tokens", "source", "batch", "cached"};
    return keys[static_cast<int>(field)];
}

struct Mending {
    std::string label;  // "Use 32"
    Document document;  // what it would be then
    std::optional<Field> edited;
};

// Said beside a field of the architecture, beside one of the input, or, where it has neither, at the panel's end.
struct Complaint {
    std::optional<Field> field;
    std::optional<InputField> input;
    std::string sentence;
    std::optional<Mending> mending;
};

// A problem is said beside the field that was edited last if it takes part, else beside the first that does. A product
// that does not fit in 64 bits is said beside what changed in it since the last possible picture: the field edited
// last, else the largest.
std::vector<Complaint> complaints(const Shown& model);

// The document with one input set; the error says what it takes. Only cached tokens may be 0.
Result<Document> with_input(Document document, InputField field, std::string_view text);

// Why a row cannot take over what was typed in it; nothing where it can. By the field's key ("heads", "tokens").
std::optional<Error> refusal(const Document& document, std::string_view key, std::string_view text);

// The possible value that comes nearest to text that was refused: the most that the model takes of a number that is too
// large for 64 bits, the least of one that is too small; else what it is.
std::int64_t nearest_input(const Document& document, InputField field, std::string_view text);

std::int64_t input_number(const Input& input, InputField field);

// The document with one field as its base has it, rule or number, with its part where the base has that.
Document with_base_field(Document document, Field field);

}  // namespace headcount
