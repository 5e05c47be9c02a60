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

// Read the first time that it is asked for, which takes some milliseconds, and kept. Any thread. Errors: it is not
// there.
Result<std::shared_ptr<const Shipped>> shipped_model();

}  // namespace headcount
