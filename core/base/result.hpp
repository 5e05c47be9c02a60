// What the world can get wrong, as a value: a result or an error that says what, where and what to do.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace headcount {

struct Error {
    std::string what;   // "12 heads do not divide width 100"
    std::string where;  // a field, a file and its offset, a JSON path, a flag; may be empty
    std::string fix;    // what to do about it; may be empty

    bool operator==(const Error&) const = default;
};

// "what: where: fix", leaving out what is empty.
inline std::string sentence(const Error& error) {
    std::string text = error.what;
    for (const std::string* part : {&error.where, &error.fix})
        if (!part->empty()) text += ": " + *part;
    return text;
}

// The same error, seen from further out: `place` (a file's path, say) goes before where it already points.
inline Error within(std::string place, Error error) {
    error.where = error.where.empty() ? std::move(place) : place + ", " + error.where;
    return error;
}

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }

    const T& operator*() const& { return checked(*this); }
    T& operator*() & { return checked(*this); }
    T operator*() && { return std::move(checked(*this)); }
    const T* operator->() const { return &checked(*this); }
    T* operator->() { return &checked(*this); }

    const Error& error() const {
        assert(!*this && "asked for the error of a result that has a value");
        return std::get<1>(state_);
    }

  private:
    template <class Self>
    static auto& checked(Self& self) {
        assert(self && "asked for the value of a result that is an error");
        return *std::get_if<0>(&self.state_);
    }

    std::variant<T, Error> state_;
};

}  // namespace headcount
