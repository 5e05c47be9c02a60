// The model that ships, to be run by lessons.
#pragma once

#include <memory>

#include "core/runtime/model.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

struct Shipped {
    std::shared_ptr<const Model> model;
    Tokenizer tokenizer;
};

// Reads it anew, which takes some milliseconds. Errors: it is not there.
Result<Shipped> read_shipped();

}  // namespace headcount
