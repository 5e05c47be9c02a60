// Several functions as one, for std::visit: one for each alternative.
#pragma once

namespace headcount {

template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <class... Handlers>  // clang deduces this by itself only from version 17 on
Overloaded(Handlers...)->Overloaded<Handlers...>;

}  // namespace headcount
