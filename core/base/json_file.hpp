// Reads JSON files, treating what is read as somebody else's.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

// Why a name leads to no file though something stands there: a link that leads nowhere or in a circle, a folder that
// may not be looked into. Nothing where there is a file, and where there is nothing at all.
std::optional<Error> leads_nowhere(const std::filesystem::path& path);

// The whole text of a file of at most 64 MiB.
Result<std::string> read_text(const std::filesystem::path& path);

// Parses JSON whose top is an object, that is nested at most 64 deep and has no key twice; errors name `where` and the
// byte or the path. Python's Infinity, which is no JSON, is read as that word in quotes. The time grows with the text's
// bytes; the value takes at most 32 times their memory, and 12 MiB.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view where);
Result<nlohmann::json> read_json(const std::filesystem::path& path);

// Every *.json of a folder, in the order of the numbers that their names begin with, and of their names; what is to be
// done where the folder cannot be read.
Result<std::vector<std::filesystem::path>> json_files(const std::filesystem::path& directory,
                                                      std::string fix = "check the path");

// The value of any kind that dump() once wrote; a discarded one where nobody did.
nlohmann::json parsed_again(std::string_view written);

// Whether a file is meant to have this key: a .json that has it, or, where it is damaged, writes it somewhere. The one
// who reads it then says what is wrong.
bool meant_as(const std::filesystem::path& path, std::string_view key);

}  // namespace headcount
