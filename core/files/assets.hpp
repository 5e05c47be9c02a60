// Where the program's data (presets and the like) lies, in the source tree or installed.
#pragma once

#include <filesystem>

#include "core/base/result.hpp"

namespace headcount {

// The first that is a directory of: the environment's HEADCOUNT_ASSETS; share/headcount beside the directory that the
// program's file is in; the source tree's assets. The working directory plays no part. When HEADCOUNT_ASSETS is set,
// only that counts: who names a directory wants no other. Errors name every place that was looked at.
Result<std::filesystem::path> assets_directory();

}  // namespace headcount
