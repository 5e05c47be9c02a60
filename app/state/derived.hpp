// What follows from a document: graph and analyses. Recomputed when the document changes, never edited.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/checkpoint_match.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/metric.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/files/document.hpp"

namespace headcount {

// The weights that lie in the document's file or beside it, and how they compare with what is shown.
struct FileWeights {
    std::shared_ptr<const Checkpoint> checkpoint;  // null: there are none
    std::shared_ptr<const CheckpointMatch> match;  // null: it cannot be compared, and `failure` says why
    std::string failure;
    Architecture of;  // what was compared
};

struct Derived {
    Counted shown;                          // of the document, or of the last one that was possible
    Counted base;                           // of document.base with the same input
    bool current = true;                    // `shown` is the document's own
    std::vector<Problem> problems;          // of the architecture, while it is impossible
    std::vector<Error> errors;              // of the input, or numbers that do not fit
    std::vector<Field> changed;             // as changed_fields(document) says
    std::string doubt;                      // as doubt_on(document) says (core/files/open.hpp)
    std::string weights_doubt;              // as doubt_on_weights says of what is shown (core/files/stored_formats.hpp)
    FileWeights weights;                    // see compare_weights in edits.hpp
    std::map<Field, std::int64_t> effects;  // changed fields: what each adds to the total against `base`
};

// `before` keeps the last good picture where `document` is impossible.
Derived derive(const Document& document, const Derived* before);

// The total as it is shown: "6,738,415,616", with a sign before it where there is doubt; and rounded: "6.74 B", "≈ 6.74
// B".
std::string total_text(const Derived& derived);
std::string short_total_text(const Derived& derived);

// What stands before this figure of it: a sign where the tensors are in doubt, or, of what hangs on their bytes, how
// they are stored.
std::string_view sign_of(const Derived& derived, Metric metric);

// The fields whose value in effect differs from the base's (core/arch/fields.hpp).
std::vector<Field> changed_fields(const Document& document);

}  // namespace headcount
