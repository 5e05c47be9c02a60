// What a command writes into a file that the command line names.
#include "app/cli/output.hpp"

#include <ostream>

#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"

namespace headcount {

Failure write_out(std::string_view text, const std::filesystem::path& path, std::span<const std::filesystem::path> read,
                  std::ostream& out) {
    if (Failure failure = cannot_write(path, read)) return failure;
    Result<OutputFile> file = OutputFile::open(path);
    if (!file) return file.error();
    const bool stream = file->is_stream();
    file->write(text);
    if (Failure failure = file->finish()) return failure;
    if (!stream) out << "wrote " << printable(path.string()) << '\n';
    return std::nullopt;
}

}  // namespace headcount
