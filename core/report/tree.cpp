// The module tree in the form in which transformers prints a model.
#include "core/report/tree.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/report/module_line.hpp"

namespace headcount {
namespace {

std::string_view parent_of(std::string_view path) {
    std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? "" : path.substr(0, dot);
}

std::string_view last_name(std::string_view path) {
    return path.substr(path.rfind('.') + 1);
}

class Tree {
  public:
    Tree(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters)
        : arch_(arch), graph_(graph), parameters_(parameters) {}

    std::string print(std::string_view root, bool counts) {
        for (const Module& module : arch_.family->modules)
            if (module.path == root) add(module, "", 0);
        return written(counts);
    }

  private:
    struct Line {
        std::string text;
        std::string count;   // right-aligned
        std::string remark;  // behind it
    };

    // Adds the module and all in it; returns what they hold, all copies. Sums cannot pass the total, which fits.
    std::int64_t add(const Module& module, const std::string& name, std::size_t depth) {
        std::optional<ModuleLine> line = module_line(module, arch_, graph_, parameters_);
        if (!line) return 0;
        std::string indent(2 * depth, ' ');
        std::string before = name.empty() ? "" : "(" + name + "): ";
        if (module.kind != ModuleKind::container && module.kind != ModuleKind::layer) {
            std::string remark = line->tied_to.empty() ? "" : "the table of " + line->tied_to + ", counted there";
            lines_.push_back({indent + before + line->text, grouped(line->count), remark});
            return line->count;
        }
        bool repeated = module.kind == ModuleKind::layer;
        if (repeated && arch_.layers > 1)
            before = "(0-" + std::to_string(arch_.layers - 1) + "): " + std::to_string(arch_.layers) + " x ";
        else if (repeated)
            before = "(0): ";
        std::size_t opening = lines_.size();
        lines_.push_back({indent + before + line->text + "(", "", ""});
        std::int64_t inside = 0;
        for (const Module& child : arch_.family->modules)
            if (!child.path.empty() && parent_of(child.path) == module.path)
                inside += add(child, std::string(last_name(child.path)), depth + 1);
        lines_.push_back({indent + ")", "", ""});
        lines_[opening].count = grouped(inside);
        if (!repeated) return inside;
        std::int64_t all = inside * arch_.layers;
        lines_[opening].remark = "x " + grouped(arch_.layers) + " = " + grouped(all);
        return all;
    }

    std::string written(bool counts) const {
        std::size_t text_width = 0, count_width = 0;
        for (const Line& line : lines_) {
            text_width = std::max(text_width, line.text.size());
            count_width = std::max(count_width, line.count.size());
        }
        std::string all;
        for (const Line& line : lines_) {
            all += line.text;
            if (counts && !line.count.empty()) {
                all += std::string(text_width + 2 + count_width - line.text.size() - line.count.size(), ' ');
                all += line.count + (line.remark.empty() ? "" : "  " + line.remark);
            }
            all += '\n';
        }
        return all;
    }

    const Architecture& arch_;
    const ModelGraph& graph_;
    const Parameters& parameters_;
    std::vector<Line> lines_;
};

}  // namespace

std::string module_tree(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                        TreeOptions options) {
    return Tree(arch, graph, parameters).print(options.base ? arch.family->base_path : "", options.counts);
}

}  // namespace headcount
