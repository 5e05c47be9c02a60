// Walks JSON text that somebody else wrote, event by event: nothing is built of what its reader does not want, and a
// name that stands twice is not lost, as it is in a parsed value.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

// Where the walk is: the keys and indices from the top down to the value in hand.
class JsonPath {
  public:
    std::size_t depth() const { return depth_; }
    // Of a step within an object its key; empty within an array.
    std::string_view key(std::size_t step) const { return steps_[step].key; }
    std::size_t index(std::size_t step) const { return steps_[step].index; }

    // A JSON pointer (RFC 6901): "/model.norm.weight/shape/0"; empty at the top. Long keys are cut.
    std::string pointer() const;

  private:
    friend class JsonWalk;
    struct Step {
        bool array = false;
        std::string key;
        std::size_t index = 0;
    };
    std::vector<Step> steps_;  // never shrinks: the keys keep their memory
    std::size_t depth_ = 0;
};

// The same for keys that are at hand.
std::string json_pointer(std::initializer_list<std::string_view> keys);

// What takes the walk's values. Each returns whether to go on; one that does not has set an error through `refuse`.
class JsonVisitor {
  public:
    virtual ~JsonVisitor() = default;

    // An object or an array begins or ends at `path`.
    virtual bool opens(const JsonPath& path, bool array) = 0;
    virtual bool closes(const JsonPath& path) = 0;
    virtual bool text(const JsonPath& path, const std::string& value) = 0;
    // null, a truth value or a number.
    virtual bool plain(const JsonPath& path, const nlohmann::json& value) = 0;

    // Why the walk was stopped; where is a JSON pointer from the place in hand on.
    const std::optional<Error>& refusal() const { return refusal_; }

  protected:
    bool refuse(std::string what, std::string fix, std::string below = "") {
        refusal_ = Error{std::move(what), std::move(below), std::move(fix)};
        return false;
    }

  private:
    std::optional<Error> refusal_;
};

// Where a text is from, as its errors say it.
struct JsonSource {
    std::string file;
    std::optional<std::uint64_t> first_byte = {};  // where the text begins in a file that is more than text
    const char* fix = "mend the file there";       // where it is not JSON

    // Where this byte of the text is: "config.json, line 3, column 14"; a byte of the file that is more than text.
    std::string at_byte(std::string_view text, std::size_t byte) const;
};

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Walks the whole text, nested at most 64 deep, in time and memory that grow with its bytes. The error names a
// place in the text where it is not JSON; and a JSON pointer where the visitor stopped.
std::optional<Error> walk_json(std::string_view text, const JsonSource& source, JsonVisitor& visitor);

}  // namespace headcount
