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

// As it is on disk, which is read the first time that it is asked for. Any thread. Errors: it is not there.
const Result<Shipped>& shipped_model();

}  // namespace headcount
