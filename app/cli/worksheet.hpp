// headcount worksheet: list, show, answer and export.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/cli.hpp"
#include "app/cli/commands.hpp"

namespace headcount {

struct WorksheetArguments {
    std::string id;                    // a worksheet that ships, or a file
    std::optional<std::int64_t> seed;  // other numbers
    std::optional<std::string> arch;   // for a worksheet about the reader's own architecture
    std::string answers;               // a file, or a folder of files
    OutputArguments<SheetFormat> output;
    bool key = false, json = false, csv = false;
    DrawBlock draw;  // the pictures of the key; may be empty
};

Failure list_worksheets(const WorksheetArguments& arguments, std::ostream& out, Notes& said);
Failure show_worksheet(const WorksheetArguments& arguments, std::ostream& out, Notes& said);
// Where more than one thing could not be graded, `failures` gets a sentence on each.
Failure grade_answers(const WorksheetArguments& arguments, std::ostream& out, Notes& said,
                      std::vector<std::string>& failures);
Failure export_worksheet(const WorksheetArguments& arguments, std::ostream& out, Notes& said);

}  // namespace headcount
