// The family for a model_type that is not known: LLaMA's skeleton with the file's sizes, marked as not verified. And
// what is said of files that are read in part, or not at all: types of models that Headcount does not show, and fields
// that it does not read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/family.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Its type is "unknown"; the file's own type and classes are among what the architecture carries, so that an export
// says them again.
const Family& unknown_family();

// Whether the sizes that no skeleton is without are there in some spelling: width, layers, heads, vocabulary.
bool looks_like_decoder(const nlohmann::json& config);

// What such a file leaves open and is taken for granted: "a tied output head", "rotary positions", ...
std::vector<std::string> assumptions(const nlohmann::json& config);

// The field that names an activation function that is not known here, and that is taken for SiLU; empty where there is
// none.
std::string unknown_activation(const nlohmann::json& config);

// "LLaMA"; of an unknown type "not verified: TYPE".
std::string family_label(const Architecture& arch);

// Why the configuration is of an encoder that is not known, or has one beside its decoder, where it says so: by its
// type, or by is_encoder_decoder.
std::optional<Error> has_encoder(const nlohmann::json& config);

// Why nothing can be guessed of the configuration, of a type that is not known: its layers are others than attention
// and a feed-forward, by its type or by a field that only such have, or its class is no language model's.
std::optional<Error> is_no_known_decoder(const nlohmann::json& config);

// Among what is carried the field that says what the weights of which a model was opened have and it has not, or the
// other way round.
inline constexpr std::string_view weights_field = "_headcount_weights";
// Where those that were compared with published weights say so, whatever their configuration leaves open.
inline constexpr std::string_view compared_field = "_headcount_compared";
// Whether Headcount alone says it: no file that others read has it.
constexpr bool is_own_word(std::string_view field) { return field == weights_field || field == compared_field; }

// The names of the fields that are carried and not known to change no shape, sorted. A field that says nothing (null,
// false, an empty list) is none of them.
std::vector<std::string> unread_fields(const Architecture& arch);

// Of sizes that the type does not read those that nothing can have: "sliding_window is -3".
std::vector<std::string> impossible_fields(const Architecture& arch);

}  // namespace headcount
