// Writes GGUF files for tests: well-formed ones field by field, and broken ones by changing their bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headcount::testing_data {

template <class T>
std::string little(T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

inline std::string gguf_text(std::string_view text) { return little<std::uint64_t>(text.size()) + std::string(text); }

inline std::span<const std::byte> as_bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

class GgufFile {
  public:
    // A key with the value's bytes as they are.
    GgufFile& key(std::string_view name, std::uint32_t type, const std::string& value) {
        keys_ += gguf_text(name) + little(type) + value;
        ++key_count_;
        return *this;
    }
    GgufFile& text(std::string_view name, std::string_view value) { return key(name, 8, gguf_text(value)); }
    GgufFile& number(std::string_view name, std::uint32_t value) { return key(name, 4, little(value)); }
    GgufFile& real(std::string_view name, float value) { return key(name, 6, little(value)); }
    GgufFile& boolean(std::string_view name, bool value) { return key(name, 7, std::string(1, value ? 1 : 0)); }
    GgufFile& texts(std::string_view name, const std::vector<std::string>& values) {
        std::string bytes = little<std::uint32_t>(8) + little<std::uint64_t>(values.size());
        for (const std::string& value : values) bytes += gguf_text(value);
        return key(name, 9, bytes);
    }
    GgufFile& numbers(std::string_view name, const std::vector<std::uint32_t>& values) {
        std::string bytes = little<std::uint32_t>(4) + little<std::uint64_t>(values.size());
        for (const std::uint32_t value : values) bytes += little(value);
        return key(name, 9, bytes);
    }

    // A tensor's entry; dimensions innermost first, as GGUF has them.
    GgufFile& entry(std::string_view name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                    std::uint64_t offset) {
        tensors_ += gguf_text(name) + little(static_cast<std::uint32_t>(dimensions.size()));
        for (const std::uint64_t each : dimensions) tensors_ += little(each);
        tensors_ += little(type) + little(offset);
        ++tensor_count_;
        return *this;
    }
    // An entry behind the data so far, with as many bytes of data, padded to 32.
    GgufFile& tensor(std::string_view name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type = 0,
                     std::uint64_t block = 1, std::uint64_t block_bytes = 4) {
        std::uint64_t elements = 1;
        for (const std::uint64_t each : dimensions) elements *= each;
        entry(name, dimensions, type, data_);
        data_ += (elements / block * block_bytes + 31) / 32 * 32;
        return *this;
    }

    std::string header(std::uint32_t version = 3) const {
        return "GGUF" + little(version) + little(tensor_count_) + little(key_count_) + keys_ + tensors_;
    }
    std::string bytes(std::uint32_t version = 3) const {
        std::string all = header(version);
        all.resize((all.size() + 31) / 32 * 32 + data_);
        return all;
    }
    std::uint64_t data_bytes() const { return data_; }

  private:
    std::string keys_, tensors_;
    std::uint64_t key_count_ = 0, tensor_count_ = 0, data_ = 0;
};

}  // namespace headcount::testing_data
