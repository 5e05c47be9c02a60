// What transformers' classes of a type of text put on its layers in the place of scores for tokens: scores for classes
// of a text, of each token, or of a place in it. How files name the matrices; their sizes are fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/module.hpp"

namespace headcount {

struct ClassForm {
    std::string_view end;     // of the class's name, behind the type's own: "ForSequenceClassification"
    std::string_view types;   // the types that have such a class, with spaces between
    std::string_view scores;  // the name of the matrix that scores: "classifier"
    PooledRows rows = PooledRows::first;
    bool bias = true;  // of the scores
    // Of a matrix before them, as wide as the model, with an activation function; empty: none.
    std::string_view projection{};
    std::optional<Activation> activation = Activation::tanh;  // absent: the feed-forward's
    std::string_view width_field{};                           // which says how wide it is, if any does
    std::string_view norm{};                                  // of what those make; empty: none
    // Where matrices have biases is said as of the matrix before a masked head's scores; of the scores, too.
    bool by_transform = false, scores_by_transform = false;
    std::optional<std::int64_t> classes{};  // absent: as many as the file has labels
    // The module that holds the rest, where it has another name than beside scores for tokens.
    std::string_view inside{};
    bool encoder_alone = false;  // of two stacks, only the encoder is there
    // The file says whether the decoder is there (is_encoder_decoder); where it does not, that is not known.
    bool says_stacks = false;
    bool beside_tokens = false;  // beside the scores for tokens that the type has, on its pooler
    bool idle_pooler = false;    // which is stored besides, and read by nothing
};

// The name of a projection that is the pooler of the model without a head.
inline constexpr std::string_view projection_of_pooler = "pooler";

// The form of the class that is called so; null where it is none of the family's.
const ClassForm* class_form(const Family& family, std::string_view class_name);
// The form of a classifier of text, of the class that its file says. Null: it is none.
const ClassForm* class_form(const Architecture& arch);

// Of a model with scores for tokens what its file's class puts beside these; null: nothing.
const ClassForm* form_beside_tokens(const Architecture& arch);

// The class of the module that holds the layers; where nothing holds the rest, of the whole without its head.
std::string base_class(const Family& family);

// The family's modules, with those of the form in the place of its head. Names live as long as the architecture.
std::vector<Module> modules_of(const Architecture& arch);

}  // namespace headcount
