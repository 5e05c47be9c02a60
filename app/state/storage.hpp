// Saving the document and the view, and restoring them at the next start.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/state/subject.hpp"
#include "app/state/view.hpp"
#include "app/state/worksheet/desk.hpp"
#include "core/base/result.hpp"
#include "core/files/document.hpp"

namespace headcount {

struct Saved {
    Document document;
    View view;  // workspace, theme, scale, motion, tab, folder, recent files, place; the rest is as new
    Subject selection = {};
    DeskState desk = {};
    std::string lost = {};  // a sentence about what of it could not be read; empty: all is there

    bool operator==(const Saved&) const = default;
};

nlohmann::ordered_json saved_json(const Saved& saved);
std::string saved_text(const Saved& saved);
std::string text_of(const nlohmann::ordered_json& saved);

Result<Saved> saved_from_text(std::string_view text, std::string_view where);

// $XDG_STATE_HOME/headcount/document.json, else ~/.local/state/headcount/document.json.
Result<std::filesystem::path> state_file();

struct Restored {
    std::optional<Saved> saved;  // nothing at a first start, or where the file was damaged
    std::string notice;          // what is damaged, and where the file as it was is kept
};

// What this window left. A damaged file is kept as document.damaged.json, so that nothing is lost.
Restored restore(const std::filesystem::path& file, int window = 1);

// "document.damaged.json" for a file document.json; numbered if that exists.
std::filesystem::path free_name(const std::filesystem::path& file, const std::string& word);

}  // namespace headcount
