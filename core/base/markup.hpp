// Text that somebody else wrote as it may stand in a file of some format: there it is data, never a tag, an emphasis or
// a formula. For the terminal see core/base/utf8.hpp.
#pragma once

#include <string>
#include <string_view>

namespace headcount {

// As text or a quoted attribute of HTML, SVG and XML. What they cannot hold, and what steers the direction of writing,
// becomes U+FFFD.
std::string html_text(std::string_view text);
// Text in which `this` is set as code.
std::string html_prose(std::string_view text);

// In one line of Markdown, a table's cell among them.
std::string markdown_line(std::string_view text);
// In a paragraph of Markdown: lines stay, and `code` stays code.
std::string markdown_prose(std::string_view text);

// As a field of comma-separated values (RFC 4180), in quotes where it must be. What a spreadsheet would take for a
// formula gets an apostrophe before it, which says there that it is text; numbers stay as they are.
std::string csv_field(std::string_view text);
// A line before the table that says what it is of, as programs skip it: "# Llama 2 7B: ..."; none where it is empty.
std::string csv_remark(std::string_view text);
// What was meant by a field that was written so.
std::string from_csv_field(std::string field);

// Bytes as letters (RFC 4648, with its padding): a picture inside another file.
std::string base64(std::string_view bytes);

}  // namespace headcount
