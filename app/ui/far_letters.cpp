// Which letters are far, and where a system has a font with them.
#include "app/ui/far_letters.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "app/ui/fonts.hpp"
#include "core/base/json_file.hpp"

namespace headcount {
namespace {

// All letters lie in one texture, in each size of the interface: whoever scrolls through a vocabulary sees no more.
constexpr std::size_t most_letters = 2048;

// How the files' names begin, the best first. All are of one weight, or have a regular one.
constexpr std::array<std::string_view, 13> known{
    "NotoSansCJK",     "NotoSansSC",        "NotoSansTC",   "NotoSansJP",
    "NotoSansKR",      "SourceHanSans",     "wqy-microhei", "DroidSansFallbackFull",
    "wqy-zenhei",      "DroidSansFallback", "PingFang",     "Hiragino Sans GB",
    "AppleSDGothicNeo"};

bool is_far(unsigned letter) {
    constexpr std::array<std::pair<unsigned, unsigned>, 5> scripts{
        {{0x1100, 0x11FF}, {0x2E80, 0x9FFF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFFEF}}};
    return std::ranges::any_of(
        scripts, [letter](const auto& script) { return letter >= script.first && letter <= script.second; });
}

// How good a font is: the smaller the better; nothing for other files.
std::optional<std::size_t> rank_of(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    const auto found = std::ranges::find_if(known, [&](std::string_view each) { return name.starts_with(each); });
    if (found == known.end()) return std::nullopt;
    const bool weighted = name.find('-', found->size()) != name.npos || name.find("VF") != name.npos;
    const bool regular = !weighted || name.find("-Regular") != name.npos;
    return 2 * static_cast<std::size_t>(found - known.begin()) + (regular ? 0 : 2 * known.size());
}

}  // namespace

std::optional<std::filesystem::path> find_far_font(std::span<const std::filesystem::path> folders) {
    using std::filesystem::recursive_directory_iterator;
    std::optional<std::filesystem::path> best;
    for (const std::filesystem::path& folder : folders) {
        std::error_code failed;
        recursive_directory_iterator file(folder, std::filesystem::directory_options::skip_permission_denied, failed);
        for (; !failed && file != recursive_directory_iterator(); file.increment(failed)) {
            std::error_code unknown;
            if (!file->is_regular_file(unknown)) continue;
            const std::optional<std::size_t> rank = rank_of(file->path());
            if (rank && (!best || *rank < *rank_of(*best))) best = file->path();
        }
    }
    return best;
}

std::vector<std::filesystem::path> font_folders() {
    std::vector<std::filesystem::path> folders{"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts",
                                               "/Library/Fonts"};
    if (const char* const home = std::getenv("HOME"))
        for (const char* const own : {".local/share/fonts", ".fonts", "Library/Fonts"})
            folders.push_back(std::filesystem::path(home) / own);
    return folders;
}

bool FarLetters::ask(std::string_view text) {
    bool any = false;
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[i + n]); };
        if (byte(0) < 0xE1 || byte(0) > 0xEF) continue;  // begins no letter of three bytes
        const unsigned letter = (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
        if (!is_far(letter)) continue;
        any = true;
        if (!nowhere_ && asked_.size() < most_letters) asked_.insert(static_cast<ImWchar>(letter));
    }
    return any;
}

bool FarLetters::take() {
    if (taken_ == 0)
        if (const auto file = find_far_font(folders_))
            if (Result<std::string> bytes = read_text(*file)) font_ = *std::move(bytes);
    taken_ = asked_.size();
    nowhere_ = !has_outlines(bytes_of(font_));
    if (nowhere_) font_.clear();
    range_.clear();
    for (const ImWchar letter : asked_) range_.insert(range_.end(), 2, letter);
    range_.push_back(0);
    return !nowhere_;
}

}  // namespace headcount
