// Reads the JSON at the front of a .safetensors file into tensors.
#include <array>
#include <limits>
#include <optional>

#include "core/base/checked.hpp"
#include "core/base/json_walk.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/safetensors.hpp"
#include "core/checkpoints/written.hpp"

namespace headcount {
namespace {

constexpr const char* metadata_key = "__metadata__";
constexpr std::size_t most_dimensions = 64;  // as PyTorch has it

constexpr std::array<StorageType, 22> storage_types{{
    {"BF16", 1, 2},        {"F32", 1, 4},         {"F16", 1, 2}, {"F8_E4M3", 1, 1}, {"F8_E5M2", 1, 1},
    {"F8_E8M0", 1, 1},     {"I8", 1, 1},          {"U8", 1, 1},  {"I32", 1, 4},     {"I64", 1, 8},
    {"F64", 1, 8},         {"BOOL", 1, 1},        {"I16", 1, 2}, {"U16", 1, 2},     {"U32", 1, 4},
    {"U64", 1, 8},         {"C64", 1, 8},         {"F4", 2, 1},  {"F6_E2M3", 4, 3}, {"F6_E3M2", 4, 3},
    {"F8_E4M3FNUZ", 1, 1}, {"F8_E5M2FNUZ", 1, 1},
}};

std::string type_list() {
    std::string list;
    for (const StorageType& type : storage_types) list += (list.empty() ? "" : ", ") + std::string(type.name);
    return list;
}

// Depth 1 is the top's members, depth 2 a tensor's fields or the metadata's entries, depth 3 the numbers of a field.
class HeaderVisitor : public JsonVisitor {
  public:
    SafetensorsHeader header;

    bool opens(const JsonPath& path, bool array) override {
        if (path.depth() == 0) return !array || refuse("a header's top is an object, not an array", check_writer);
        if (path.depth() == 1)
            return array ? refuse("an array, where an object was expected", check_writer) : begin(path);
        if (in_metadata_) return refuse("metadata are texts only", check_writer);
        if (path.depth() > 2) return known(field_of(path)) ? refuse("a whole number was expected", check_writer) : true;
        const Field field = field_of(path);
        if (field == Field::other) return true;
        if (!begin_field(field)) return false;
        if (field == Field::type || !array) return refuse(expectation(field), check_writer);
        return true;
    }

    bool closes(const JsonPath& path) override {
        if (path.depth() == 1) return in_metadata_ || end_tensor();
        if (path.depth() == 2 && !in_metadata_ && field_of(path) == Field::offsets && offsets_ != 2)
            return refuse("data_offsets are " + std::to_string(offsets_) + " numbers, 2 were expected", check_writer);
        return true;
    }

    bool text(const JsonPath& path, const std::string& value) override {
        if (path.depth() < 2) return refuse("a text, where an object was expected", check_writer);
        if (in_metadata_) return add_metadata(path.key(1), value);
        const Field field = field_of(path);
        if (field == Field::other) return true;
        if (path.depth() == 3) return refuse("a text, where a whole number was expected", check_writer);
        if (!begin_field(field)) return false;
        if (field != Field::type) return refuse(expectation(field), check_writer);
        return take_type(value);
    }

    bool plain(const JsonPath& path, const nlohmann::json& value) override {
        if (path.depth() < 2) return refuse("an object was expected, not " + shown(value), check_writer);
        if (in_metadata_) return refuse("metadata are texts only", check_writer);
        const Field field = field_of(path);
        if (field == Field::other) return true;
        if (path.depth() == 2) return begin_field(field) && refuse(expectation(field), check_writer);
        return take_number(field, value);
    }

  private:
    enum class Field { type, shape, offsets, other };

    static bool known(Field field) { return field != Field::other; }
    static std::string shown(const nlohmann::json& value) { return in_quotes(value.dump()); }
    static const char* name(Field field) {
        return field == Field::type ? "dtype" : field == Field::shape ? "shape" : "data_offsets";
    }
    static std::string expectation(Field field) {
        if (field == Field::type) return "dtype is not a text";
        return std::string(name(field)) + " is not an array of whole numbers";
    }
    static Field field_of(const JsonPath& path) {
        const std::string_view key = path.key(1);
        for (const Field field : {Field::type, Field::shape, Field::offsets})
            if (key == name(field)) return field;
        return Field::other;
    }

    bool begin(const JsonPath& path) {
        in_metadata_ = path.key(0) == metadata_key;
        if (in_metadata_)
            return !std::exchange(metadata_seen_, true) || refuse("__metadata__ stands there twice", check_writer);
        header.tensors.emplace_back().name = path.key(0);
        seen_ = {};
        offsets_ = 0;
        return true;
    }

    bool begin_field(Field field) {
        bool& seen = seen_[static_cast<std::size_t>(field)];
        return !std::exchange(seen, true) || refuse(std::string(name(field)) + " stands there twice", check_writer);
    }

    bool add_metadata(std::string_view key, const std::string& value) {
        if (header.metadata.size() == most_metadata)
            return refuse("more than " + grouped(most_metadata) + " entries of metadata", check_writer);
        return header.metadata.emplace(key, value).second || refuse("this key stands there twice", check_writer);
    }

    bool take_type(const std::string& name) {
        const auto found = std::ranges::find(storage_types, name, &StorageType::name);
        if (found == storage_types.end())
            return refuse(in_quotes(name) + " is not a type of numbers that is known", "known are " + type_list());
        header.tensors.back().type = *found;
        return true;
    }

    bool take_number(Field field, const nlohmann::json& value) {
        constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (!value.is_number_unsigned()) return refuse(shown(value) + " is not a whole number from 0", check_writer);
        const auto number = value.get<std::uint64_t>();
        if (number > largest) return refuse(shown(value) + " is more than 2^63 - 1", check_writer);
        if (field == Field::shape) {
            std::vector<std::int64_t>& shape = header.tensors.back().shape;
            if (shape.size() == most_dimensions)
                return refuse("more than " + std::to_string(most_dimensions) + " dimensions", check_writer);
            shape.push_back(static_cast<std::int64_t>(number));
            return true;
        }
        if (offsets_ < 2) (offsets_ == 0 ? begin_ : end_) = number;
        ++offsets_;
        return true;
    }

    bool end_tensor() {
        CheckpointTensor& tensor = header.tensors.back();
        for (const Field field : {Field::type, Field::shape, Field::offsets})
            if (!seen_[static_cast<std::size_t>(field)])
                return refuse(std::string(name(field)) + " is missing", check_writer);
        if (begin_ > end_)
            return refuse(
                "data_offsets end at " + std::to_string(end_) + ", before they begin, at " + std::to_string(begin_),
                check_writer);
        const auto elements = checked_product(tensor.shape);
        if (!elements)
            return refuse("shape " + shape_text(tensor.shape) + " has more than 2^63 - 1 elements", check_writer);
        const StorageType& type = tensor.type;
        if (*elements % type.elements != 0)
            return refuse(grouped(*elements) + " elements of " + std::string(type.name) + " fill no whole bytes",
                          check_writer);
        const auto bytes = checked_multiply(*elements / type.elements, type.bytes);
        if (!bytes || static_cast<std::uint64_t>(*bytes) != end_ - begin_)
            return refuse("shape " + shape_text(tensor.shape) + " of " + std::string(type.name) + " takes " +
                              (bytes ? grouped(*bytes) : "more than 2^63 - 1") + " bytes, data_offsets give " +
                              grouped(static_cast<std::int64_t>(end_ - begin_)),
                          check_writer);
        tensor.elements = *elements;
        tensor.bytes = *bytes;
        tensor.offset = begin_;
        return true;
    }

    bool in_metadata_ = false, metadata_seen_ = false;
    std::array<bool, 3> seen_{};  // by Field
    std::size_t offsets_ = 0;     // how many numbers data_offsets has
    std::uint64_t begin_ = 0, end_ = 0;
};

}  // namespace

Result<SafetensorsHeader> read_safetensors_header(std::string_view text, const std::string& file,
                                                  std::uint64_t first_byte) {
    HeaderVisitor visitor;
    if (std::optional<Error> error = walk_json(text, {file, first_byte, check_writer}, visitor))
        return *std::move(error);
    return std::move(visitor.header);
}

}  // namespace headcount
