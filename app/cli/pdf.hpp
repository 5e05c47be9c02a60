// Pages as PDF, made by a program that is there for that.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

// A page of HTML that needs nothing else, as it prints: WeasyPrint makes it, or a browser without a window, whichever
// is found first. Errors: there is none of them, or it could not; they name the ending of a file to write instead.
Result<std::string> pdf_of(std::string_view html, std::string_view instead);

}  // namespace headcount
