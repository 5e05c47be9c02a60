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

// For a shell.
std::string quoted(const fs::path& path) {
    std::string text = "'";
    for (const char letter : path.string()) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

// What is behind a maker's name: from a page to a file, with a folder that is free.
std::string plainly(const fs::path& page, const fs::path& file, const fs::path&) {
    return quoted(page) + " " + quoted(file);
}
// A browser's sandbox does not start for root, and what it reads was written here.
std::string by_browser(const fs::path& page, const fs::path& file, const fs::path& home) {
    return "--headless --disable-gpu --no-sandbox --no-pdf-header-footer --user-data-dir=" + quoted(home) +
           " --print-to-pdf=" + quoted(file) + " " + quoted(page);
}

struct Maker {
    std::string_view name;
    std::string (*words)(const fs::path& page, const fs::path& file, const fs::path& home);
};
constexpr std::array<Maker, 5> makers{{{"weasyprint", plainly},
                                       {"chromium", by_browser},
                                       {"chromium-browser", by_browser},
                                       {"google-chrome", by_browser},
                                       {"google-chrome-stable", by_browser}}};

// Of its own; removed with all that is in it.
class Folder {
  public:
    Folder() {
        std::error_code failure;
        const fs::path inside = fs::temp_directory_path(failure);
        constexpr int tries = 8;
        for (int i = 0; i < tries && path_.empty(); ++i) {
            const fs::path made = inside / ("headcount-" + std::to_string(std::random_device{}()));
            if (fs::create_directory(made, failure)) path_ = made;
        }
        fs::permissions(path_, fs::perms::owner_all, failure);
    }
    ~Folder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
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

Result<std::string> pdf_of(std::string_view html, std::string_view instead) {
    const std::string print_it = "write " + std::string(instead) + " and print it from a browser";
    for (const Maker& maker : makers) {
        if (!is_there(maker)) continue;
        const Folder folder;
        if (folder.path().empty())
            return Error{"there is no folder to make the PDF file in", ".pdf", "set TMPDIR to a folder with room"};
        if (const auto written = write_text(folder.path() / "page.html", html); !written) return written.error();
        const std::string words =
            maker.words(folder.path() / "page.html", folder.path() / "page.pdf", folder.path() / "browser");
        const int status = std::system((std::string(maker.name) + " " + words + " >/dev/null 2>&1").c_str());
        std::ifstream file(folder.path() / "page.pdf", std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(file), {}};
        if (status == 0 && bytes.starts_with("%PDF")) return bytes;
        return Error{std::string(maker.name) + " could not make the PDF file", ".pdf", print_it};
    }
    return Error{"no program that makes PDF files is here", ".pdf", "install weasyprint or chromium, or " + print_it};
}

}  // namespace headcount
