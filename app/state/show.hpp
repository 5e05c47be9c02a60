// What is shown to a class: whether the window presents, and which tour is at which step. Part of the view.
#pragma once

#include <cstddef>
#include <string>

namespace headcount {

struct Show {
    bool presenting = false;  // large, with the essentials alone
    std::string from;         // the view that it goes back to
    std::string tour;         // the id of the one that runs; empty: none
    std::size_t step = 0;     // of those that make sense for the model
    bool revealed = false;    // the answer to what the class is asked

    bool operator==(const Show&) const = default;
};

}  // namespace headcount
