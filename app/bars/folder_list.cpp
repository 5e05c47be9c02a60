// Reads folders for the file dialog.
#include "app/bars/folder_list.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/base/text.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

bool begins_with(std::string_view name, std::string_view start) {
    return name.size() >= start.size() &&
           std::equal(start.begin(), start.end(), name.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

int rank(EntryKind kind) {
    if (kind == EntryKind::this_folder) return 0;
    return kind == EntryKind::folder || kind == EntryKind::model_folder ? 1 : 2;
}

bool listed_before(const FolderEntry& a, const FolderEntry& b) {
    if (rank(a.kind) != rank(b.kind)) return rank(a.kind) < rank(b.kind);
    return lower(a.name) < lower(b.name);
}

bool holds_answers(const fs::path& file) {
    const std::string ending = lower(file.extension().string());
    return ending == ".json" || ending == ".csv";
}

bool can_be_chosen(const FolderEntry& entry, const fs::path& file, const FileTaskInfo& task) {
    if (task.opens_models()) return !entry.what.empty();
    if (task.form == FileForm::text) return true;
    if (task.form == FileForm::answers) return holds_answers(file);
    return task.form == FileForm::file && lower(file.extension().string()) == task.ending;
}

// What Headcount would open a file of this name as; empty where it cannot.
std::string_view opened_as(const fs::path& name) {
    const std::string file = lower(name.filename().string());
    const std::string ending = fs::path(file).extension().string();
    if (file == "config.json") return "configuration";
    if (file == "params.json") return "Meta's parameters";
    if (file.ends_with(".index.json")) return "safetensors, in shards";
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> known{{{".json", "JSON"},
                                                                                  {".safetensors", "safetensors"},
                                                                                  {".gguf", "GGUF"},
                                                                                  {".headcount", "Headcount"},
                                                                                  {".bin", "llama2.c"}}};
    for (const auto& [each, what] : known)
        if (ending == each) return what;
    return "";
}

FolderEntry entry_of(const fs::directory_entry& found, const FileTaskInfo& task) {
    FolderEntry entry{found.path().filename().string(), EntryKind::other, "", 0};
    std::error_code ignored;
    if (found.is_directory(ignored)) {
        const bool model = task.opens_models() && is_model_folder(found.path());
        entry.kind = model ? EntryKind::model_folder : EntryKind::folder;
        entry.what = model ? "model" : "folder";
        return entry;
    }
    entry.bytes = found.file_size(ignored);
    if (ignored) entry.bytes = 0;
    const bool regular = found.is_regular_file(ignored);
    entry.what = opened_as(found.path());
    if (regular && can_be_chosen(entry, found.path(), task)) entry.kind = EntryKind::file;
    return entry;
}

}  // namespace

bool is_model_folder(const fs::path& path) {
    constexpr std::array<const char*, 4> holds{"config.json", "params.json", "model.safetensors",
                                               "model.safetensors.index.json"};
    return std::ranges::any_of(holds, [&](const char* name) {
        std::error_code ignored;
        return fs::exists(path / name, ignored);
    });
}

FolderList read_folder(const fs::path& path, const FileTaskInfo& task) {
    FolderList list;
    list.path = path;
    std::error_code failure;
    fs::directory_iterator at(path, fs::directory_options::skip_permission_denied, failure);
    if (failure) {
        list.failure = path.string() + " cannot be listed: " + failure.message();
        return list;
    }
    if (task.opens_models() && is_model_folder(path))
        list.entries.push_back({"This folder", EntryKind::this_folder, "model", 0});
    for (; at != fs::directory_iterator() && !failure; at.increment(failure)) {
        if (at->path().filename().string().starts_with('.')) continue;
        if (list.entries.size() == FolderList::most_entries) {
            list.cut = true;
            break;
        }
        list.entries.push_back(entry_of(*at, task));
    }
    const bool answers =
        task.form == FileForm::answers &&
        std::ranges::any_of(list.entries, [](const FolderEntry& each) { return each.kind == EntryKind::file; });
    if (answers) list.entries.push_back({"This folder", EntryKind::this_folder, "answers", 0});
    std::ranges::sort(list.entries, listed_before);
    return list;
}

std::vector<int> matching_entries(const FolderList& list, std::string_view filter) {
    std::vector<int> first, rest;
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        const FolderEntry& entry = list.entries[i];
        const bool itself = entry.kind == EntryKind::this_folder;
        if (itself ? !filter.empty() : !has_every_word(entry.name, filter)) continue;
        const bool begins = !itself && !filter.empty() && begins_with(entry.name, filter);
        (begins || filter.empty() ? first : rest).push_back(static_cast<int>(i));
    }
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
}

TypedPath typed_path(const fs::path& current, std::string_view text) {
    const std::size_t slash = text.rfind('/');
    if (text == "~") return typed_path(current, "~/");
    if (text == "..") return {current.parent_path(), ""};
    if (slash == std::string_view::npos) return {current, std::string(text)};
    std::string folder(text.substr(0, slash + 1));
    const char* const home = std::getenv("HOME");
    if (folder.starts_with("~/") && home) folder = home + folder.substr(1);
    fs::path path = (fs::path(folder).is_absolute() ? fs::path(folder) : current / folder).lexically_normal();
    if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
    return {path, std::string(text.substr(slash + 1))};
}

std::string completed(const FolderList& list, std::string_view rest) {
    std::string all;
    int found = 0;
    bool folder = false;
    for (const FolderEntry& entry : list.entries) {
        if (entry.kind == EntryKind::this_folder || !begins_with(entry.name, rest)) continue;
        if (found++ == 0) {
            all = entry.name;
            folder = entry.kind == EntryKind::folder || entry.kind == EntryKind::model_folder;
            continue;
        }
        std::size_t same = 0;
        while (same < all.size() && same < entry.name.size() && lower(all[same]) == lower(entry.name[same])) ++same;
        all.resize(same);
    }
    if (found == 0 || all.size() < rest.size()) return std::string(rest);
    return found == 1 && folder ? all + "/" : all;
}

}  // namespace headcount
