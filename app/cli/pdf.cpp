// Starts who makes PDF files, in a folder that is gone afterwards.
#include "app/cli/pdf.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>

#include "core/base/write_file.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

// With what a shell is told behind its name: IN, OUT and HOME are paths in quotes. A browser's sandbox does not start
// for root, and what it reads was written here.
struct Maker {
    std::string_view name, words;
};
constexpr std::string_view browser_words =
    "--headless --disable-gpu --no-sandbox --no-pdf-header-footer --user-data-dir=HOME --print-to-pdf=OUT IN";
constexpr std::array<Maker, 4> makers{{{"weasyprint", "IN OUT"},
                                       {"chromium", browser_words},
                                       {"google-chrome", browser_words},
                                       {"wkhtmltopdf", "IN OUT"}}};

// For a shell.
std::string quoted(const fs::path& path) {
    std::string text = "'";
    for (const char letter : path.string()) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

std::string command_of(const Maker& maker, const fs::path& folder) {
    std::string words(maker.words);
    for (const auto& [mark, path] : {std::pair("IN", "page.html"), {"OUT", "page.pdf"}, {"HOME", "browser"}})
        if (const std::size_t at = words.find(mark); at != std::string::npos)
            words.replace(at, std::string_view(mark).size(), quoted(folder / path));
    return std::string(maker.name) + " " + words + " >/dev/null 2>&1";
}

// Removed with all that is in it.
class Folder {
  public:
    Folder() {
        std::error_code failure;
        path_ = fs::temp_directory_path(failure) / ("headcount-" + std::to_string(std::random_device{}()));
        fs::create_directory(path_, failure);
        fs::permissions(path_, fs::perms::owner_all, failure);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

bool is_there(const Maker& maker) {
    return std::system(("command -v " + std::string(maker.name) + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

Result<std::string> pdf_of(std::string_view html) {
    for (const Maker& maker : makers) {
        if (!is_there(maker)) continue;
        const Folder folder;
        if (const auto written = write_text(folder.path() / "page.html", html); !written) return written.error();
        const int status = std::system(command_of(maker, folder.path()).c_str());
        std::ifstream file(folder.path() / "page.pdf", std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(file), {}};
        if (status == 0 && bytes.starts_with("%PDF")) return bytes;
        return Error{std::string(maker.name) + " could not make the PDF file", ".pdf",
                     "write .html and print it from a browser"};
    }
    return Error{"no program that makes PDF files is here", ".pdf",
                 "install weasyprint or chromium, or write .html and print it from a browser"};
}

}  // namespace headcount
