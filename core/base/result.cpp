// How an error reads as one sentence.
#include "core/base/result.hpp"

namespace headcount {

std::string sentence(const Error& error) {
    std::string text = error.what;
    for (const std::string* part : {&error.where, &error.fix})
        if (!part->empty()) text += ": " + *part;
    return text;
}

Error within(std::string place, Error error) {
    error.where = error.where.empty() ? std::move(place) : place + ", " + error.where;
    return error;
}

}  // namespace headcount
