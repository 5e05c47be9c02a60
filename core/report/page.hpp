// Sentences and tables under headings, as one document: Markdown, or a page of HTML that stands alone and prints.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/parameters.hpp"
#include "core/report/table.hpp"

namespace headcount {

struct ReportSection {
    std::string heading;
    std::vector<std::string> sentences = {};
    std::vector<Table> tables = {};
    std::string picture = {};  // an SVG document; Markdown leaves it out
};

struct ReportPage {
    std::string title;
    std::vector<ReportSection> sections;
};

std::string markdown(const ReportPage& page);
std::string html(const ReportPage& page);

// With its tables so marked.
ReportPage marked(ReportPage page, std::string_view sign);

// A model's fields, its parameters by component, and its tensors, under its title (title_of).
ReportPage model_page(std::string title, const Architecture& arch, const ModelGraph& graph,
                      const Parameters& parameters);

}  // namespace headcount
