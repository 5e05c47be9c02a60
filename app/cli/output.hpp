// What a command writes into a file that the command line names.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string_view>

#include "app/cli/commands.hpp"

namespace headcount {

// Writes the file, but not over one that the text was made from (`read`), and says so on `out`: not where the text goes
// into a stream, which may be `out` itself.
Failure write_out(std::string_view text, const std::filesystem::path& path, std::span<const std::filesystem::path> read,
                  std::ostream& out);

// Where a command that writes a file as well prints: on `err` where the file goes to standard output, so that the two
// do not mix.
std::ostream& beside(const std::optional<std::filesystem::path>& file, std::ostream& out, std::ostream& err);

}  // namespace headcount
