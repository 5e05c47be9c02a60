// What the file dialog lists: a folder's entries, which of them Headcount can open, and what typed text means there.
// No ImGui.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/parts/file_tasks.hpp"

namespace headcount {

enum class EntryKind { this_folder, folder, model_folder, file, other };

struct FolderEntry {
    std::string name;
    EntryKind kind = EntryKind::other;
    std::string_view what = {};  // "folder", "GGUF": the second column
    std::uintmax_t bytes = 0;    // of a file
};

struct FolderList {
    std::filesystem::path path;
    std::vector<FolderEntry> entries;  // the folder itself where it is a model, folders, files
    std::string failure;               // a sentence, where it cannot be read
    bool cut = false;                  // there are more than are listed

    static constexpr std::size_t most_entries = 5'000;
};

// Those that the task can open or write over can be chosen.
FolderList read_folder(const std::filesystem::path& path, const FileTaskInfo& task);

// Whether it holds a file that opens it as a model.
bool is_model_folder(const std::filesystem::path& path);

// Indices of the entries whose names have every word of `filter`, case ignored, those that begin with it first. Without
// one, all.
std::vector<int> matching_entries(const FolderList& list, std::string_view filter);

// Typed text, read in a folder: "~/models/ll" is the folder ~/models and the rest "ll"; "config" is this folder.
struct TypedPath {
    std::filesystem::path folder;
    std::string rest;
};
TypedPath typed_path(const std::filesystem::path& current, std::string_view text);

// What Tab makes of the rest: as far as all entries agree that begin with it; a folder's name ends with "/".
std::string completed(const FolderList& list, std::string_view rest);

}  // namespace headcount
