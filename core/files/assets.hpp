// Where the program's data (presets and the like) lies, in the source tree or installed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

// The first that is a directory of: the environment's HEADCOUNT_ASSETS; share/headcount beside the directory that the
// program's file is in; the source tree's assets. The working directory plays no part. When HEADCOUNT_ASSETS is set,
// only that counts: who names a directory wants no other. Errors name every place that was looked at.
Result<std::filesystem::path> assets_directory();

// A file of one's own that adds to what ships ("measured.json"), whether or not there is one: in the folder headcount
// of XDG_DATA_HOME (~/.local/share). Empty where the system names no such folder.
std::filesystem::path own_file(std::string_view name);

// The folder of the model with that name that ships with its weights ("tiny-stories"). The text as it is where there is
// none, or where a file of its own is called so.
std::string or_shipped_model(std::string text);

// Whether this is the id of what ships (a tour, a worksheet), or the number that it begins with: "11" is said of
// "11-it-knows-nothing".
bool names_shipped(std::string_view said, std::string_view id);

}  // namespace headcount
