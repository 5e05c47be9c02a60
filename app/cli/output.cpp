// What a command writes into a file that the command line names.
#include "app/cli/output.hpp"

#include <ostream>

#include "core/base/write_file.hpp"

namespace headcount {

Failure write_out(std::string_view text, const std::filesystem::path& path, std::span<const std::filesystem::path> read,
                  std::ostream& out) {
    if (Failure failure = cannot_write(path, read)) return failure;
    if (const auto written = write_text(path, text); !written) return written.error();
    out << wrote(path);
    return std::nullopt;
}

std::ostream& beside(const std::optional<std::filesystem::path>& file, std::ostream& out, std::ostream& err) {
    return file && is_standard_output(*file) ? err : out;
}

}  // namespace headcount
