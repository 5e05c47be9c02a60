// From the words behind an option to its value. What cannot be one is wrong whatever the model, and errors name `flag`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/arguments.hpp"
#include "core/base/result.hpp"

namespace headcount {

// The place of a word among those that an option may have.
Result<std::size_t> read_word(const std::string& text, std::string_view flag, std::span<const std::string_view> words);

// A whole number as people type it ("8k"), from `least` to `most`.
Result<std::int64_t> read_whole(const std::string& text, std::string_view flag, std::int64_t least, std::int64_t most);

// From 1. How many are possible is the model's to say, so what is beyond 64 bits is the largest number there is.
Result<std::int64_t> read_tokens(const std::string& text, std::string_view flag);

Result<Precision> read_precision(const std::string& text, std::string_view flag);
Result<Metric> read_metric(const std::string& text, std::string_view flag);

// "key=value" of a field and what it may be.
Result<std::string> read_change(const std::string& text, std::string_view flag);

// A number's key, or several: "dim,layers".
Result<Field> read_field(const std::string& text, std::string_view flag);
Result<std::vector<Field>> read_fields(const std::string& text, std::string_view flag);

// Operations of a pass.
Result<std::int64_t> read_pass(const std::string& text, std::string_view flag);

// "1,2,3", at least one.
Result<std::vector<std::int64_t>> read_ids(const std::string& text, std::string_view flag);

// How the next token is chosen: one number of it, in its range.
Result<double> read_sampling(const std::string& text, std::string_view flag, double Sampling::*part);

Result<PictureSize> read_size(const std::string& text, std::string_view flag);
Result<AskedView> read_view(const std::string& text, std::string_view flag, std::span<const std::string_view> views);
Result<std::filesystem::path> read_screenshot(const std::string& text, std::string_view flag);

// A format that a file may have, and what it then holds.
struct FileFormat {
    std::string_view name, holds;  // "svg", "the diagram alone"; ".svg" is its ending
    std::string_view also = {};    // another ending, less its point: "htm"
};

// In the order of their enumerations.
std::span<const FileFormat> export_formats();
std::span<const FileFormat> sheet_formats();
std::span<const FileFormat> picture_formats();

// Which of the formats a file is to have: as asked for, else by the ending of its name. Nothing where there is neither.
Result<std::optional<std::size_t>> format_of(const std::string& file, std::optional<std::size_t> asked,
                                             std::span<const FileFormat> formats);

// What is wrong where there is neither.
Error no_format(const std::string& file, std::span<const FileFormat> formats);

}  // namespace headcount
