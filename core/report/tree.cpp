// The module tree in the form in which transformers prints a model.
#include "core/report/tree.hpp"

#include <algorithm>
#include <iterator>

#include "core/arch/class_form.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

class Tree {
  public:
    Tree(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters, const TreeOptions& options)
        : arch_(arch), graph_(graph), parameters_(parameters), modules_(modules_of(arch)), options_(options) {}

    // The module called `root` and all in it; the first module where it is empty.
    std::string print(std::string_view root) {
        for (std::size_t i = 0; i < modules_.size(); ++i)
            if (root.empty() || modules_[i].name == root) {
                root_ = i;
                const std::string path(has_head(arch_) ? root : "");
                lines_ = lines_of(i, {path, std::nullopt}, "", 0).lines;
                break;
            }
        return written();
    }

  private:
    struct Line {
        std::string text;
        std::string count;   // right-aligned
        std::string remark;  // behind it

        bool operator==(const Line&) const = default;
    };

    // A module's lines, and what it holds in all its copies. Sums cannot pass the total, which fits.
    struct Printed {
        std::vector<Line> lines;
        std::int64_t count = 0;
        bool may_hold = false;                       // somewhere in it is a place for parameters
        bool holds = false;                          // and this architecture has some of them
        std::vector<const ParameterRow*> rows = {};  // which they are
    };

    std::string figure(std::int64_t count) const { return std::string(options_.sign) + grouped(count); }

    std::size_t end_of(std::size_t module) const {
        std::size_t end = module + 1;
        while (end < modules_.size() && modules_[end].depth > modules_[module].depth) ++end;
        return end;
    }

    std::string path_of(std::size_t module) const {
        std::string path(modules_[module].name);
        int depth = modules_[module].depth;
        for (std::size_t above = module; above-- > 0;)
            if (modules_[above].depth < depth) {
                depth = modules_[above].depth;
                path = std::string(modules_[above].name) + "." + path;
            }
        return path;
    }

    // A place within another module, where that has a module.
    bool stands_deeper(std::size_t module) const {
        if (modules_[module].name.find('.') == std::string_view::npos) return false;
        for (std::size_t other = 0; other < modules_.size(); ++other)
            if (other != module && path_of(other) == path_of(module)) return true;
        return false;
    }

    bool has(Part part, const ModulePlace& place) const {
        return std::ranges::any_of(graph_.tensors, [&](const Tensor& tensor) {
            return tensor.role == Role::parameter && tensor.part == part &&
                   graph_.layer_of(tensor.block) == place.layer;
        });
    }

    // Whether it is the one of two that holds what there is.
    bool stands(const Module& module, const ModulePlace& place) const {
        if (module.kind != ModuleKind::container && module.kind != ModuleKind::stateless) return true;
        return (!module.with || has(*module.with, place)) && (!module.without || !has(*module.without, place));
    }

    // `name` is what stands in brackets before it.
    Printed lines_of(std::size_t index, const ModulePlace& place, const std::string& name, std::size_t depth) const {
        Module module = modules_[index];
        // A list of one sub-block's norms, one for each layer (XLM).
        if (module.kind == ModuleKind::layer && !module.parts.empty()) module.kind = ModuleKind::norm;
        if (index == root_ && lacks(arch_, ModuleKind::decoder) && !arch_.family->encoder_class.empty())
            module.class_name = arch_.family->encoder_class;
        if (!module.class_with.empty() && has(*module.with, place)) module.class_name = module.class_with;
        const std::string indent(2 * depth, ' ');
        const std::string before = name.empty() ? "" : "(" + name + "): ";
        std::optional<ModuleLine> line = module_line(module, place, arch_, graph_, parameters_);
        if (!line || !stands(module, place)) return {{}, 0, true, false};
        if (!holds_modules(module.kind)) {
            const bool own = !module.parts.empty();
            return {
                {{indent + before + line->text, figure(line->count), line->remark}}, line->count, own, own, line->rows};
        }
        Printed printed;
        printed.lines.push_back({indent + before + line->text + "(", "", ""});
        for (std::size_t child = index + 1; child < end_of(index); ++child) {
            if (modules_[child].depth != module.depth + 1) continue;
            if (lacks(arch_, modules_[child].kind) || stands_deeper(child)) continue;
            const std::string path = (place.path.empty() ? "" : place.path + ".") + std::string(modules_[child].name);
            Printed more = repeated(child, {path, place.layer, place.first}, depth + 1);
            // A bias with a part of its own stands in the line of its linear layer.
            const auto shown = [&](const ParameterRow* row) { return contains(printed.rows, row); };
            if (modules_[child].kind == ModuleKind::bare && !more.rows.empty() && std::ranges::all_of(more.rows, shown))
                continue;
            append(printed, std::move(more));
        }
        if (module.kind == ModuleKind::layer || index == root_)
            append(printed, besides(place, depth + 1, printed.rows));
        if (index == root_) append(printed, unpublished_layers(depth + 1));
        printed.lines.push_back({indent + ")", "", ""});
        printed.lines.front().count = figure(printed.count);
        // Dense layers have no router, and layers of experts no dense matrices: their containers stay away.
        if (printed.may_hold && !printed.holds) return {{}, 0, true, false};
        return printed;
    }

    static void append(Printed& printed, Printed more) {
        printed.lines.insert(printed.lines.end(), std::make_move_iterator(more.lines.begin()),
                             std::make_move_iterator(more.lines.end()));
        printed.count += more.count;
        printed.may_hold = printed.may_hold || more.may_hold;
        printed.holds = printed.holds || more.holds;
        printed.rows.insert(printed.rows.end(), more.rows.begin(), more.rows.end());
    }

    // What stands below a place, or has a name of its own, and has no line yet.
    Printed besides(const ModulePlace& place, std::size_t depth,
                    const std::vector<const ParameterRow*>& shown = {}) const {
        Printed printed;
        for (const ParameterRow& row : parameters_.tensors) {
            const StoredTensor& tensor = graph_.stored[row.stored];
            if (tensor.layer != place.layer || contains(shown, &row)) continue;
            const bool own = tensor.unpublished || is_extra(graph_.tensors[tensor.parts.front()].part);
            const bool elsewhere = place.layer && tensor.name.find("{i}") == std::string::npos;  // layers share it
            if (!own && !elsewhere && !place.path.empty() && !tensor.name.starts_with(place.path + ".")) continue;
            std::string name = tensor.name;
            if (const std::size_t at = name.find("{i}."); place.layer && at != std::string::npos) name.erase(0, at + 4);
            const std::string sizes = listed(row.shape, [](std::int64_t size) { return std::to_string(size); });
            std::string text(2 * depth, ' ');
            text.append("(").append(name).append("): Parameter(").append(sizes).append(")");
            printed.lines.push_back(
                {std::move(text), figure(row.count), row.in_layer > 1 ? "x " + grouped(row.in_layer) : ""});
            printed.count += row.count * row.in_layer;
            printed.holds = printed.may_hold = true;
        }
        return printed;
    }

    // The layers of an encoder, in a family that has none.
    Printed unpublished_layers(std::size_t depth) const {
        Printed all;
        const bool has_modules =
            std::ranges::any_of(modules_, [](const Module& module) { return module.kind == ModuleKind::encoder; });
        for (std::size_t i = 0; i < graph_.layers.size(); ++i) {
            const LayerGroup& group = graph_.layers[i].group;
            if (!group.kind.encoder || has_modules) continue;
            const std::string indent(2 * depth, ' '), copies = std::to_string(group.count);
            Printed one = besides({"", i}, depth + 1);
            const std::int64_t together = one.count * group.count;
            one.lines.insert(one.lines.begin(),
                             {indent + "(" + graph_.blocks[graph_.layers[i].block].id + "): " + copies + " x (",
                              figure(one.count), "x " + copies + " = " + figure(together)});
            one.lines.push_back({indent + ")", "", ""});
            one.count = together;
            append(all, std::move(one));
        }
        return all;
    }

    // A module as often as it is there: once, or for each layer, expert or head.
    Printed repeated(std::size_t index, const ModulePlace& place, std::size_t depth) const {
        const Module& module = modules_[index];
        if (module.kind == ModuleKind::layer) return layers(index, place, depth);
        const bool expert = module.kind == ModuleKind::expert;
        if (!expert && module.kind != ModuleKind::each_head)
            return lines_of(index, place, std::string(module.name), depth);
        const Bindings values = bindings(arch_, Input{});
        const std::int64_t copies =
            expert ? values[Symbol::experts].value_or(0) : values[head_symbol(module)].value_or(0);
        return run(index, place, 0, copies, depth);
    }

    static Symbol head_symbol(const Module& module) {
        return *module.parts.begin() == Part::query_norm ? Symbol::heads : Symbol::kv_heads;
    }

    // "(0-31): 32 x Name(...)": copies `first` to `first + copies - 1`.
    Printed run(std::size_t index, const ModulePlace& place, std::int64_t first, std::int64_t copies,
                std::size_t depth) const {
        const std::string name =
            copies > 1 ? std::to_string(first) + "-" + std::to_string(first + copies - 1) : std::to_string(first);
        Printed printed = lines_of(index, place, name, depth);
        if (printed.lines.empty() || copies <= 1) return printed;
        Line& opening = printed.lines.front();
        const std::size_t behind = opening.text.find("): ") + 3;
        opening.text.insert(behind, std::to_string(copies) + " x ");
        printed.count *= copies;
        opening.remark = "x " + grouped(copies) + " = " + figure(printed.count);
        return printed;
    }

    // The layers of the stack that the module is in, as many as there are; and of each group of layers the first one
    // that prints the same.
    struct StackLayers {
        bool encoder = false;
        std::int64_t count = 0;
        std::vector<std::size_t> looks;
    };

    // Neighbours that print alike stand together, as transformers prints them; the first apart from the others where it
    // has more than they.
    Printed layers(std::size_t index, const ModulePlace& place, std::size_t depth) const {
        const StackLayers stack = stack_of(index, place, depth);
        const auto printed = [&](bool first) {
            return lines_of(index, {place.path, group_of(stack, 0), first}, "", depth).lines;
        };
        const bool apart = printed(true) != printed(false);
        const auto look = [&](std::int64_t layer) { return stack.looks[group_of(stack, layer)]; };
        Printed all;
        const std::int64_t shown = std::min(stack.count, most_layers);
        for (std::int64_t first = 0; first < shown;) {
            std::int64_t end = first + 1;
            const bool alone = first == 0 && apart;
            while (!alone && end < shown && look(end) == look(first)) ++end;
            if (!alone && end == shown) end = runs_on(end, stack);
            append(all, run(index, {place.path, group_of(stack, first), first == 0}, first, end - first, depth));
            first = end;
            if (first >= shown && first < stack.count) {
                all.lines.push_back({std::string(2 * depth, ' ') + "... and " + grouped(stack.count - first) +
                                         " more layers in the same pattern",
                                     "", ""});
                all.count = parameters_.in_layers;
            }
        }
        return all;
    }

    // Of a family with one stack, which an architecture with two may have been given to, the decoder's.
    StackLayers stack_of(std::size_t module, const ModulePlace& place, std::size_t depth) const {
        StackLayers stack;
        std::size_t above = module;
        while (above > 0 && !is_stack(modules_[above].kind)) --above;
        stack.encoder = arch_.encoder && modules_[above].kind == ModuleKind::encoder;
        std::vector<std::vector<Line>> printed;
        for (std::size_t group = 0; group < graph_.layers.size(); ++group) {
            printed.push_back(lines_of(module, {place.path, group}, "", depth).lines);
            stack.looks.push_back(
                static_cast<std::size_t>(std::ranges::find(printed, printed.back()) - printed.begin()));
            const LayerKind& kind = graph_.layers[group].group.kind;
            if (kind.encoder == stack.encoder) stack.count = graph_.tied_layers ? 1 : stack_layers(arch_, kind);
        }
        return stack;
    }

    // Where a run that reaches layer `end` stops: at the last layer if the pattern has come to rest, else there.
    std::int64_t runs_on(std::int64_t end, const StackLayers& stack) const {
        const std::int64_t seen = std::min(stack.count, end + pattern_length(arch_, stack.encoder));
        for (std::int64_t layer = end; layer < seen; ++layer)
            if (stack.looks[group_of(stack, layer)] != stack.looks[group_of(stack, end - 1)]) return end;
        return stack.count;
    }

    std::size_t group_of(const StackLayers& stack, std::int64_t layer) const {
        return graph_.group_of(layer_kind(arch_, layer, stack.encoder));
    }

    static constexpr std::int64_t most_layers = 1000;  // of a pattern that does not come to rest

    std::string written() const {
        std::size_t text_width = 0, count_width = 0;
        for (const Line& line : lines_) {
            text_width = std::max(text_width, line.text.size());
            count_width = std::max(count_width, line.count.size());
        }
        std::string all;
        for (const Line& line : lines_) {
            all += line.text;
            if (options_.counts && !line.count.empty()) {
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
    std::vector<Module> modules_;
    TreeOptions options_;
    std::size_t root_ = 0;
    std::vector<Line> lines_;
};

}  // namespace

std::string module_tree(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                        TreeOptions options) {
    const bool base = options.base || !has_head(arch);
    return Tree(arch, graph, parameters, options).print(base ? arch.family->base_path() : "");
}

}  // namespace headcount
