// Documents of presets and of files, and what they are called.
#pragma once

#include <string>

#include "core/files/document.hpp"
#include "core/files/open.hpp"

namespace headcount {

Document document_of(const Preset& preset);

// A document of what was opened at this path. What it leaves open (a vocabulary) is a usual value in the base.
Result<Document> document_of(const Opened& opened, const std::string& path, const Input& input);

// A document of an opened file. Fails where its parameters do not fit in 64 bits, because then it could not be shown.
Result<Document> document_of(const Architecture& opened, const Input& input);

// "/home/user/model/config.json": by which a file is known wherever the program is started.
std::string absolute_path(const std::string& path);

// "Llama 2 7B", or "Llama 2 7B, edited"; a file that was saved under such a name says it once.
std::string title_of(const Document& document);

}  // namespace headcount
