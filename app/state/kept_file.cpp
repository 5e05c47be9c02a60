// Takes the file apart and puts it together again; what is not ours stays as it is written.
#include "app/state/kept_file.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "app/state/saved_fields.hpp"
#include "core/base/json_file.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::array shared_lists{"recent", "claims_files", "tour_files"};
constexpr std::int64_t most_windows = 1000;
constexpr int step_aside = 32;  // so that the title bar of the window below is in sight

// A value: the last act reads files when what is static may be gone.
Json object_at(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_object() ? *found : Json::object();
}

template <class AnyJson>
AnyJson own_part(AnyJson all) {
    for (const char* key : {"headcount", "begun", "worksheets", "windows", "last_window"}) all.erase(key);
    if (const auto view = all.find("view"); view != all.end() && view->is_object())
        for (const char* list : shared_lists) view->erase(list);
    return all;
}

std::filesystem::path lock_of(const std::filesystem::path& file, int window) {
    return file.parent_path() / (file.stem().string() + ".window-" + std::to_string(window) + ".lock");
}

std::vector<int> windows_in(const Json& there) {
    std::vector<int> windows{1};
    const Json others = object_at(there, "windows");
    for (const auto& [key, unused] : others.items())
        if (const int number = std::atoi(key.c_str()); number > 1) windows.push_back(number);
    return windows;
}

// Where the document was changed last.
int last_window(const Json& there) {
    int last = 1;
    Fields(there).whole("last_window", last, 1, most_windows);
    return last;
}

std::optional<WindowPlace> place_of(const Json& part) {
    SavedView seen;
    Fields(part).object("view", seen);
    return seen.view.window;
}

// Two windows in one place would look like one. Where one was that is closed there is room.
WindowPlace beside_others(WindowPlace place, const Json& there, std::span<const int> open) {
    const auto taken = [&] {
        return std::ranges::any_of(open, [&](int other) {
            const auto part = part_of(there, other);
            const auto their = part ? place_of(*part) : std::nullopt;
            return their && their->corner == place.corner;
        });
    };
    while (place.corner && taken()) place.corner = {(*place.corner)[0] + step_aside, (*place.corner)[1] + step_aside};
    return place;
}

}  // namespace

Seat take_seat(const std::filesystem::path& file) {
    std::error_code failure;
    std::filesystem::create_directories(file.parent_path(), failure);  // where this fails, saving says so
    const Result<Json> there = read_json(file);
    const int last = there ? last_window(*there) : 1;
    for (int i = 0;; ++i) {
        const int number = i == 0 ? last : i;
        Result<std::optional<FileLock>> lock = FileLock::attempt(lock_of(file, number));
        if (!lock) return {file, last, std::nullopt};
        if (*lock) return {file, number, std::move(*lock)};
    }
}

Seat take_empty_seat(const std::filesystem::path& file, const Json& there) {
    for (int number = 2;; ++number) {
        if (part_of(there, number)) continue;
        Result<std::optional<FileLock>> lock = FileLock::attempt(lock_of(file, number));
        if (!lock) return {file, number, std::nullopt};
        if (*lock) return {file, number, std::move(*lock)};
    }
}

std::optional<Json> part_of(const Json& there, int window) {
    if (window == 1) return there.contains("base") ? std::optional(own_part(there)) : std::nullopt;
    const Json windows = object_at(there, "windows");
    const auto found = windows.find(std::to_string(window));
    return found != windows.end() && found->is_object() ? std::optional<Json>(*found) : std::nullopt;
}

std::vector<int> open_beside(const std::filesystem::path& file, const Json& there, int window) {
    std::vector<int> windows = windows_in(there);
    std::erase_if(windows, [&](int other) {
        const auto lock = other == window ? Error{} : FileLock::attempt(lock_of(file, other));
        return !lock || *lock;
    });
    return windows;
}

Json seen_by(const Json& there, int window, std::span<const int> open) {
    Json seen = there;
    if (const auto part = window == 1 ? std::nullopt : part_of(there, window)) {
        seen.update(*part);
        seen["view"] = object_at(*part, "view");
        for (const char* list : shared_lists)
            if (const Json view = object_at(there, "view"); view.contains(list)) seen["view"][list] = view[list];
    }
    const auto left = place_of(seen);
    if (!left) return seen;
    WindowPlace place = beside_others(*left, there, open);
    if (!part_of(there, window)) place.maximised = false;
    if (place != *left) seen["view"]["window"] = json_of(place);
    return seen;
}

std::optional<WindowPlace> first_place(int window) {
    const int aside = step_aside * (window - 1);
    return window == 1 ? std::nullopt : std::optional(WindowPlace{{{aside, aside}}, std::nullopt});
}

std::optional<std::int64_t> begun_in(const Json& there) {
    std::optional<std::int64_t> begun;
    Fields fields(there);
    fields.maybe(begun, [&](std::int64_t& number) {
        return fields.whole("begun", number, std::numeric_limits<std::int64_t>::min());
    });
    return begun;
}

Shared shared_in(const Json& there, const Shared& otherwise) {
    SavedView seen;
    DeskState desk;
    Fields fields(there);
    fields.object("view", seen);
    fields.object("worksheets", desk);
    Shared shared = there.contains("view") ? shared_of(seen.view, otherwise.desk) : otherwise;
    if (there.contains("worksheets")) shared.desk = std::move(desk);
    return shared;
}

Ordered with_part(const Json& there, const Saved& saved, int window, bool changed) {
    const Ordered all = saved_json(saved);
    const bool at_top = (window == 1 && changed) || !there.contains("base");
    Ordered file = at_top ? all : Ordered(there);
    file["view"] = at_top ? all["view"] : Ordered(object_at(there, "view"));
    for (const char* list : shared_lists) file["view"][list] = all["view"][list];
    file["worksheets"] = all["worksheets"];
    file["begun"] = begun_in(there).value_or(std::random_device{}());
    Ordered windows(object_at(there, "windows"));
    if (changed && window != 1) windows[std::to_string(window)] = own_part(all);
    for (const char* key : {"windows", "last_window"}) file.erase(key);
    if (!windows.empty()) file["windows"] = std::move(windows);
    const int last = changed ? window : last_window(there);
    if (last != 1) file["last_window"] = last;
    return file;
}

}  // namespace headcount
