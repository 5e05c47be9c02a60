// GGUF's keys and values as JSON. Long arrays (the vocabulary, its scores and merges) are walked, not copied.
#include <array>
#include <bit>

#include "core/base/utf8.hpp"
#include "core/checkpoints/gguf.hpp"
#include "core/checkpoints/written.hpp"

namespace headcount {
namespace {

enum class ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, array, u64, i64, f64 };

template <class T>
nlohmann::json number(ByteReader& reader) {
    return reader.number<T>("a value");
}

struct ValueForm {
    std::string_view name;
    std::uint64_t bytes;                                     // the least that a value takes; of a text, its length
    nlohmann::json (*number)(ByteReader& reader) = nullptr;  // null: it is none
};
constexpr std::array<ValueForm, 13> forms{{{"uint8", 1, number<std::uint8_t>},
                                           {"int8", 1, number<std::int8_t>},
                                           {"uint16", 2, number<std::uint16_t>},
                                           {"int16", 2, number<std::int16_t>},
                                           {"uint32", 4, number<std::uint32_t>},
                                           {"int32", 4, number<std::int32_t>},
                                           {"float32", 4, number<float>},
                                           {"bool", 1},
                                           {"string", 8},
                                           {"array", 12},
                                           {"uint64", 8, number<std::uint64_t>},
                                           {"int64", 8, number<std::int64_t>},
                                           {"float64", 8, number<double>}}};
const ValueForm& form(ValueType type) { return forms[static_cast<std::size_t>(type)]; }

// What is longer is left out: what describes a model is a number a layer at most. All arrays together are held to a
// budget, for as JSON they take more memory than in the file.
constexpr std::uint64_t most_keys = 65536, longest_text = 65536, longest_array = 1024, all_arrays = 16384,
                        longest_wanted = std::uint64_t{1} << 22;  // several times the merges of the largest vocabulary

class MetadataReader {
  public:
    MetadataReader(ByteReader& reader, GgufArrays* wanted) : reader_(reader), wanted_(wanted) {}

    nlohmann::json read(std::uint64_t count);

  private:
    ValueType type(std::string_view key);
    nlohmann::json value(ValueType type, std::string_view key);
    nlohmann::json text();
    nlohmann::json boolean(std::string_view key);
    nlohmann::json array(std::string_view key);
    bool fill_wanted(ValueType inner, std::uint64_t length, std::uint64_t place, std::string_view key);
    double wanted_number(ValueType inner, std::string_view key);
    void check(std::string_view key, const nlohmann::json& value, std::uint64_t at);

    ByteReader& reader_;
    GgufArrays* wanted_;
    std::uint64_t budget_ = all_arrays;
};

nlohmann::json MetadataReader::read(std::uint64_t count) {
    nlohmann::json all = nlohmann::json::object();
    if (count > most_keys)
        reader_.fail(16, "at most 65,536 keys are read, " + std::to_string(count) + " are announced", check_writer);
    for (std::uint64_t i = 0; i < count && reader_.ok(); ++i) {
        const std::uint64_t at = reader_.at();
        const std::string key(reader_.text("a key"));
        if (!reader_.ok()) break;
        if (key.empty() || !is_utf8(key)) {
            reader_.fail(at, key.empty() ? "a key is empty" : "a key is not UTF-8", check_writer);
            break;
        }
        nlohmann::json found = value(type(key), key);
        check(key, found, at);
        if (!all.emplace(key, std::move(found)).second)
            reader_.fail(at, "the key " + in_quotes(key) + " is there twice", check_writer);
    }
    return all;
}

ValueType MetadataReader::type(std::string_view key) {
    const std::uint64_t at = reader_.at();
    const auto number = reader_.number<std::uint32_t>("a value's type");
    if (number >= forms.size())
        reader_.fail(
            at, "the value of " + in_quotes(key) + " has type " + std::to_string(number) + ", types 0 to 12 are known",
            check_writer);
    return static_cast<ValueType>(number);
}

nlohmann::json MetadataReader::value(ValueType type, std::string_view key) {
    if (!reader_.ok()) return nullptr;
    if (type == ValueType::boolean) return boolean(key);
    if (type == ValueType::text) return text();
    if (type == ValueType::array) return array(key);
    return form(type).number(reader_);
}

nlohmann::json MetadataReader::boolean(std::string_view key) {
    const std::uint64_t at = reader_.at();
    const auto value = reader_.number<std::uint8_t>("a value");
    if (value > 1)
        reader_.fail(at,
                     "the truth value of " + in_quotes(key) + " is " + std::to_string(value) + ", 0 or 1 was expected",
                     check_writer);
    return value == 1;
}

nlohmann::json MetadataReader::text() {
    const std::string_view value = reader_.text("a value");
    // A text that only people read does not make a file useless.
    if (value.size() > longest_text || !is_utf8(value))
        return {{"text", is_utf8(value.substr(0, longest_text)) ? "long" : "not UTF-8"}, {"length", value.size()}};
    return std::string(value);
}

nlohmann::json MetadataReader::array(std::string_view key) {
    const std::uint64_t at = reader_.at();
    const ValueType inner = type(key);
    const std::uint64_t place = reader_.at();
    const auto length = reader_.number<std::uint64_t>("an array's length");
    if (inner == ValueType::array)
        reader_.fail(at, in_quotes(key) + " is an array of arrays, numbers or texts were expected", check_writer);
    if (!reader_.ok() || !reader_.can_hold(length, form(inner).bytes, place, "values of an array")) return nullptr;
    if (fill_wanted(inner, length, place, key)) return {{"array", form(inner).name}, {"length", length}};
    if (length <= longest_array && length <= budget_) {
        budget_ -= length;
        nlohmann::json values = nlohmann::json::array();
        for (std::uint64_t i = 0; i < length && reader_.ok(); ++i) values.push_back(value(inner, key));
        return values;
    }
    if (inner == ValueType::text)
        reader_.skip_texts(length, "a value");
    else
        reader_.skip(length * form(inner).bytes, "a value");
    return {{"array", form(inner).name}, {"length", length}};
}

// Whether somebody wants that array, who then has it.
bool MetadataReader::fill_wanted(ValueType inner, std::uint64_t length, std::uint64_t place, std::string_view key) {
    const auto found = wanted_ ? wanted_->find(key) : GgufArrays::iterator();
    if (!wanted_ || found == wanted_->end()) return false;
    if (length > longest_wanted)
        reader_.fail(place,
                     in_quotes(key) + " has " + std::to_string(length) + " values, at most " +
                         std::to_string(longest_wanted) + " are read",
                     check_writer);
    GgufArray& array = found->second.emplace();
    for (std::uint64_t i = 0; i < length && reader_.ok(); ++i)
        if (inner == ValueType::text)
            array.texts.emplace_back(reader_.text("a value"));
        else
            array.numbers.push_back(wanted_number(inner, key));
    return true;
}

double MetadataReader::wanted_number(ValueType inner, std::string_view key) {
    if (inner == ValueType::f32) return reader_.number<float>("a value");  // as JSON what is no number would be null
    const nlohmann::json number = value(inner, key);
    return number.is_number() ? number.get<double>() : 0;
}

void MetadataReader::check(std::string_view key, const nlohmann::json& value, std::uint64_t at) {
    if (!reader_.ok() || key != "general.alignment") return;
    const auto alignment = value.is_number_integer() ? value.get<std::int64_t>() : 0;
    if (alignment <= 0 || alignment > (std::int64_t{1} << 31) ||
        !std::has_single_bit(static_cast<std::uint64_t>(alignment)))
        reader_.fail(
            at, "general.alignment is " + in_quotes(value.dump()) + ", a power of two up to 2,147,483,648 was expected",
            "write the file again");
}

}  // namespace

nlohmann::json read_gguf_metadata(ByteReader& reader, std::uint64_t count, GgufArrays* wanted) {
    return MetadataReader(reader, wanted).read(count);
}

}  // namespace headcount
