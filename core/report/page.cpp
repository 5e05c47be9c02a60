#include "core/report/page.hpp"

#include <utility>

#include "core/base/markup.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

constexpr std::string_view style = R"(
@page { size: A4 landscape; margin: 12mm; }
* { box-sizing: border-box; }
html { background: #fff; color: #12161c; font: 11pt/1.45 Inter, "Helvetica Neue", Helvetica, Arial, sans-serif; }
body { max-width: 260mm; margin: 0 auto; padding: 8mm 6mm; }
h1 { font-size: 20pt; line-height: 1.2; margin: 0 0 3mm; }
h2 { font-size: 13pt; margin: 8mm 0 2mm; break-after: avoid; }
p { margin: 0 0 2mm; overflow-wrap: anywhere; }
figure { margin: 4mm 0; break-inside: avoid; }
figure svg { width: 100%; height: auto; }
div { overflow-x: auto; margin: 0 0 4mm; }
table { border-collapse: collapse; font-size: 9.5pt; }
th { text-align: left; font-weight: 500; color: #454e5b; padding: 1mm 4mm 1mm 0; white-space: nowrap; }
td { padding: 1mm 4mm 1mm 0; border-top: 0.2mm solid #e2e6eb; }
tr { break-inside: avoid; }
.number { text-align: right; font-family: "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: nowrap; }
@media print { body { max-width: none; padding: 0; } div { overflow: visible; } table { font-size: 8pt; } td { overflow-wrap: anywhere; } }
)";

// "<td class="number">6,738,415,616</td>"
std::string html_cell(std::string_view tag, const Column& column, std::string_view text) {
    const bool number = column.right_aligned();
    return "<" + std::string(tag) + (number ? " class=\"number\">" : ">") + html_text(text) + "</" + std::string(tag) +
           ">";
}

std::string html(const Table& table) {
    std::string out = "<div><table>\n<thead><tr>";
    for (const Column& column : table.columns) out += html_cell("th", column, column.name);
    out += "</tr></thead>\n<tbody>\n";
    for (const std::vector<ReportCell>& row : table.rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) out += html_cell("td", table.columns[i], for_people(row[i]));
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

}  // namespace

ReportPage marked(ReportPage page, std::string_view sign) {
    for (ReportSection& section : page.sections)
        for (Table& table : section.tables) table = marked(std::move(table), sign);
    return page;
}

std::string markdown(const ReportPage& page) {
    std::string out = "# " + markdown_line(page.title) + "\n";
    for (const ReportSection& section : page.sections) {
        if (!section.heading.empty()) out += "\n## " + markdown_line(section.heading) + "\n";
        for (const std::string& sentence : section.sentences) out += "\n" + markdown_prose(sentence) + "\n";
        for (const Table& table : section.tables) out += "\n" + markdown(table);
    }
    return out;
}

std::string html(const ReportPage& page) {
    const std::string title = html_text(page.title);
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title +
                      "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n";
    for (const ReportSection& section : page.sections) {
        if (!section.heading.empty()) out += "<h2>" + html_text(section.heading) + "</h2>\n";
        for (const std::string& sentence : section.sentences) out += "<p>" + html_text(sentence) + "</p>\n";
        if (!section.picture.empty()) out += "<figure>" + section.picture + "</figure>\n";
        for (const Table& table : section.tables) out += html(table);
    }
    return out + "</body>\n</html>\n";
}

ReportPage model_page(std::string title, const Architecture& arch, const ModelGraph& graph,
                      const Parameters& parameters) {
    return {std::move(title),
            {{.heading = "Architecture", .tables = {architecture_table(arch)}},
             {.heading = "Parameters", .tables = {parameters_table(graph, parameters)}},
             {.heading = "Tensors", .tables = {tensors_table(graph, parameters)}}}};
}

}  // namespace headcount
