// Multimodal configurations: the part that describes the language model, and what the whole decides of it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Whether a file of the family's type is one of two encoders, of texts and of images, and none of the family's class,
// which has the latter alone.
bool is_of_both(const nlohmann::json& config, const Family& family);

// The field that holds the language model of a multimodal configuration; empty where there is none, and where the type
// is known as a whole.
std::string_view text_part(const nlohmann::json& config);

// The same file with that field, where its type's files have the text part's own at the top and it does, or where the
// field's place or its presence is the type's to say; else nothing.
std::optional<nlohmann::json> with_text_apart(const nlohmann::json& config);

// Whether it is one: by such a field, or by its type.
bool is_multimodal(const nlohmann::json& config);

// A text part that is no object, or a word of the whole that cannot be taken over.
std::optional<Error> wrong_multimodal(const nlohmann::json& config);

// The part in that field with its type where it does not say one, and with what the whole decides: whether the output
// head is the embedding, and the number format.
nlohmann::json text_of(const nlohmann::json& config, std::string_view key);

// A head that is the whole's own has no biases, whatever that of the text's type has; and whether two stacks share a
// table is for the text part to say. An error where no architecture has both.
std::optional<Error> put_head_of_whole(const nlohmann::json& config, Architecture& text);

// The text part with the whole file that it stands in, where all that this holds besides is known. Errors: a field of
// its tower or of its connector that cannot be.
Result<Architecture> with_senses(Architecture text, const nlohmann::json& config, const std::string& place);

// The whole file around its written text part.
nlohmann::ordered_json whole_of(const Architecture& arch, nlohmann::ordered_json text);

// Whether the file and its text part disagree on the output head (tie_word_embeddings).
bool disagrees_on_head(const nlohmann::json& config);

// A sentence about such a file: what its output head is counted as; `stored`: as its weights have it.
std::string note_on_head(bool tied, bool stored);

}  // namespace headcount
