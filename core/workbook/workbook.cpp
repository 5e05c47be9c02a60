// Writes the spreadsheet, with libxlsxwriter; see the header.
#include "core/workbook/workbook.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include "core/analysis/recipes.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/rules.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"
#include "core/workbook/cell_formula.hpp"

#if HEADCOUNT_XLSX
#include <xlsxwriter.h>
#endif

namespace headcount {

#if HEADCOUNT_XLSX
namespace {

namespace fs = std::filesystem;

// As a spreadsheet reads it: symbols are the names of cells.
std::string formula_text(const Expr& expr) {
    using Kind = Expr::Kind;
    const auto sides = [&](std::string_view sign, bool bracket_sums) {
        const auto side = [&](const Expr& part, bool right) {
            const bool sum = part.kind() == Kind::add || part.kind() == Kind::subtract;
            const bool brackets = sum && (bracket_sums || (right && expr.kind() == Kind::subtract));
            return brackets ? "(" + formula_text(part) + ")" : formula_text(part);
        };
        return side(expr.left(), false).append(sign) + side(expr.right(), true);
    };
    const auto call = [&](std::string_view name) {
        return std::string(name) + "(" + formula_text(expr.left()) + "," + formula_text(expr.right()) + ")";
    };
    switch (expr.kind()) {
        case Kind::integer:
            return expr.integer() < 0 ? "(" + std::to_string(expr.integer()) + ")" : std::to_string(expr.integer());
        case Kind::symbol: return std::string(info(expr.symbol()).key);
        case Kind::add: return sides("+", false);
        case Kind::subtract: return sides("-", false);
        case Kind::multiply: return sides("*", true);
        case Kind::divide:  // of whole numbers, rounded down
        case Kind::floor: return "INT((" + formula_text(expr.left()) + ")/(" + formula_text(expr.right()) + "))";
        case Kind::ceil_to: return call("CEILING");
        case Kind::min: return call("MIN");
        case Kind::max: return call("MAX");
    }
    return "";
}

// What a number follows from; nothing where the model gives one of its own.
std::optional<Expr> derived_from(const Architecture& arch, Symbol symbol) {
    const std::optional<Expr> rule = rule_of(arch, symbol);
    return rule && rule->kind() != Expr::Kind::integer ? rule : std::nullopt;
}

// Whether a model of so many layers has as many parameters as these formulas say.
bool counts_as(const CountedModel& model, std::int64_t layers) {
    Result<Architecture> other = with_field(model.architecture, Field::layers, std::to_string(layers));
    if (!other || !validate(*other).empty()) return true;  // there is none
    Bindings numbers = model.bindings;
    numbers.set(Symbol::layers, layers);
    const Result<std::int64_t> said = evaluate(total_formula(model.graph), numbers);
    const Result<std::int64_t> is = evaluate(total_formula(expand(*other)), bindings(*other, model.input));
    return said && is && *said == *is;
}

// Whether one layer more is one of some kind, and what all kinds have stays as it is: not where kinds take turns, of
// which there are as many as there are.
bool follows_layers(const CountedModel& model) {
    const std::int64_t layers = model.architecture.layers;
    if (!counts_as(model, layers + 1) || !counts_as(model, 2 * layers)) return false;
    Bindings more = model.bindings;
    more.set(Symbol::layers, model.architecture.layers + 1);
    std::int64_t grown = 0;
    for (const LayerBlock& layer : model.graph.layers) {
        const Expr count = model.graph.layers_with(layer.block);
        const Result<std::int64_t> now = evaluate(count, model.bindings), then = evaluate(count, more);
        if (now && then) grown += *then - *now;
    }
    return grown == 1;
}

struct CloseBook {
    void operator()(lxw_workbook* book) const { workbook_close(book); }
};

class Writer {
  public:
    Writer(const fs::path& path, const CountedModel& model)
        : model_(model),
          follows_layers_(follows_layers(model)),
          book_(workbook_new(path.string().c_str())),
          heading_(workbook_add_format(book_.get())),
          number_(workbook_add_format(book_.get())) {
        format_set_bold(heading_);
        format_set_num_format(number_, "#,##0");
    }

    void write(const Memory& memory, MomentsOfActivations moments, const std::string& made_for) {
        Sheet first = sheet("Inputs", {{"name", 20}, {"symbol", 10}, {"meaning", 60}, {"value", 16}});
        parameters();
        this->memory(memory, moments);
        if (!moments.empty()) activations(moments);
        inputs(first, made_for);
        book_.reset();
    }

  private:
    struct Sheet {
        lxw_worksheet* sheet;
        lxw_row_t row = 0;
    };

    Sheet sheet(const char* name, std::initializer_list<std::pair<const char*, double>> columns) {
        Sheet made{workbook_add_worksheet(book_.get(), name)};
        lxw_col_t column = 0;
        for (const auto& [heading, width] : columns) {
            worksheet_set_column(made.sheet, column, column, width, nullptr);
            worksheet_write_string(made.sheet, 0, column++, heading, heading_);
        }
        worksheet_freeze_panes(made.sheet, 1, 0);
        return made;
    }

    static void text(const Sheet& sheet, lxw_col_t column, std::string_view words) {
        worksheet_write_string(sheet.sheet, sheet.row, column, std::string(words).c_str(), nullptr);
    }

    // With what it comes to now, for programs that show a file without working it out.
    void formula(const Sheet& sheet, lxw_col_t column, const std::string& formula, std::int64_t value) {
        if (formula.size() > longest_formula)
            worksheet_write_number(sheet.sheet, sheet.row, column, static_cast<double>(value), number_);
        else
            worksheet_write_formula_num(sheet.sheet, sheet.row, column, ("=" + formula).c_str(), number_,
                                        static_cast<double>(value));
    }

    void formula(const Sheet& sheet, lxw_col_t column, const Expr& expr) {
        formula(sheet, column, live(expr), value_of(expr));
    }

    // As it follows the sheet Inputs, which gets all that it reads; what is too long is written as a number.
    std::string live(Expr expr) {
        if (!follows_layers_) expr = replaced(expr, Symbol::layers, model_.architecture.layers);
        std::string text = formula_text(expr);
        for (const SymbolInfo& each : symbols())
            if (text.size() <= longest_formula && uses(expr, each.symbol)) read_.insert(each.symbol);
        return text;
    }

    std::int64_t value_of(const Expr& expr) const {
        const Result<std::int64_t> value = evaluate(expr, model_.bindings);
        return value ? *value : 0;
    }

    void inputs(Sheet& sheet, const std::string& made_for) {
        for (const SymbolInfo& symbol : symbols())
            if (const std::optional<Expr> rule =
                    read_.contains(symbol.symbol) ? derived_from(model_.architecture, symbol.symbol) : std::nullopt)
                live(*rule);
        for (const SymbolInfo& symbol : symbols()) {
            if (!read_.contains(symbol.symbol)) continue;
            ++sheet.row;
            text(sheet, 0, symbol.key);
            text(sheet, 1, symbol.text);
            text(sheet, 2, symbol.name);
            if (const std::optional<Expr> rule = derived_from(model_.architecture, symbol.symbol))
                formula(sheet, 3, *rule);
            else
                worksheet_write_number(sheet.sheet, sheet.row, 3, static_cast<double>(value_of(symbol.symbol)),
                                       number_);
            if (symbol.symbol == Symbol::layers && !weights().follows)
                text(sheet, 4,
                     "The sheet Memory has the weights of " + of_layers() + " also where this is changed: " +
                         formats_title(model_.input.precision) + " chooses formats by a layer's place among all.");
            if (symbol.symbol == Symbol::layers && weights().follows && others_of_seventy_billion())
                text(sheet, 4,
                     "Of 80 layers llama-quantize takes the model for one of 70 B, whose values have more bits: that "
                     "is not in the sheet Memory.");
            workbook_define_name(book_.get(), std::string(symbol.key).c_str(),
                                 ("=Inputs!$D$" + std::to_string(sheet.row + 1)).c_str());
        }
        sheet.row += 2;
        if (!follows_layers_)
            text(sheet, 0, "Kinds of layers take turns in this model: all sheets are of " + of_layers() + ".");
        sheet.row += follows_layers_ ? 0 : 1;
        text(sheet, 0, made_for);
    }

    void parameters() {
        Sheet to =
            sheet("Parameters", {{"tensor", 60}, {"component", 16}, {"numbers", 18}, {"copies", 10}, {"together", 20}});
        for (const ParameterRow& row : model_.parameters.tensors) {
            const StoredTensor& tensor = model_.graph.stored[row.stored];
            ++to.row;
            const std::string line = std::to_string(to.row + 1);
            text(to, 0, tensor.name);
            text(to, 1, component_name(tensor.component));
            formula(to, 2, tensor_formula(tensor));
            formula(to, 3, tensor.copies);
            formula(to, 4, "C" + line + "*D" + line, row.total);
        }
        const std::string last = std::to_string(to.row + 1);
        for (const Component component : components) {
            const std::int64_t count = model_.parameters.of(component);
            if (count == 0) continue;
            ++to.row;
            text(to, 0, component_name(component));
            formula(to, 4, "SUMIF(B$2:B$" + last + ",A" + std::to_string(to.row + 1) + ",E$2:E$" + last + ")", count);
        }
        ++to.row;
        text(to, 0, "Total");
        formula(to, 4, "SUM(E2:E" + last + ")", model_.parameters.total);
        workbook_define_name(book_.get(), "parameters", ("=Parameters!$E$" + std::to_string(to.row + 1)).c_str());
    }

    void memory(const Memory& memory, MomentsOfActivations moments) {
        Sheet to = sheet("Memory", {{"what", 34}, {"bytes", 22}, {"GiB", 12}, {"formula", 80}});
        std::string sum;
        const auto row = [&](std::string_view what, const MemoryFigure& figure, bool counts, bool follows = true) {
            if (figure.bytes == 0) return;
            ++to.row;
            const std::string line = std::to_string(to.row + 1);
            text(to, 0, what);
            formula(to, 1, live(figure.formula), figure.bytes);
            gibibytes(to, figure.bytes);
            text(to, 3, in_symbols(figure.formula));
            if (!follows) text(to, 4, "of " + of_layers());
            if (counts) sum.append(sum.empty() ? "" : "+").append("B").append(line);
        };
        // Of a recipe as they follow the layers, which a page says of as many as there are.
        const auto weights_row = [&](std::string_view what, MemoryFigure figure, std::optional<Component> component,
                                     bool counts) {
            const RecipeBytes found = weights(component);
            if (value_of(found.bytes) == figure.bytes) figure.formula = found.bytes;
            row(what, figure, counts, found.follows);
        };
        for (std::size_t i = 0; i < components.size(); ++i)
            weights_row("Weights: " + std::string(component_name(components[i])), memory.weights_by_component[i],
                        components[i], false);
        row("Weights: Adapters", memory.adapters, false);
        weights_row("Weights", memory.weights, {}, true);
        row("KV cache", memory.cache, true);
        row("States", memory.states, true);
        row(moments.empty() ? "Activations kept" : "Activations at most", memory.activations, true);
        if (!moments.empty() && memory.activations.bytes > 0) {
            formula(to, 1, "MAX(Activations!B2:B" + std::to_string(moments.size() + 1) + ")", memory.activations.bytes);
            text(to, 4, "the most of the sheet Activations; with these inputs while " + memory.where + " is made");
        }
        row("Gradients", memory.gradients, true);
        row("Optimizer", memory.optimizer, true);
        ++to.row;
        text(to, 0, "Total");
        formula(to, 1, sum, memory.total);
        gibibytes(to, memory.total);
    }

    void activations(MomentsOfActivations moments) {
        Sheet to = sheet("Activations", {{"while this is made", 34}, {"bytes", 22}, {"GiB", 12}, {"formula", 80}});
        for (const MemoryFormulas::MomentOfActivations& each : moments) {
            ++to.row;
            text(to, 0, each.where);
            formula(to, 1, each.bytes);
            gibibytes(to, value_of(each.bytes));
            text(to, 3, in_symbols(each.bytes));
        }
    }

    RecipeBytes weights(std::optional<Component> component = {}) const {
        return recipe_bytes(model_.architecture, model_.graph, model_.input.precision, component);
    }

    // Whether a model of 80 layers has other formats than the rules of all numbers of layers say.
    bool others_of_seventy_billion() const {
        if (!model_.input.precision.recipe) return false;
        Architecture other = model_.architecture;
        other.layers = 80;
        const ModelGraph graph = expand(other);
        const Bindings numbers = bindings(other, model_.input);
        const Result<std::int64_t> here = evaluate(weights().bytes, numbers);
        const Result<std::int64_t> there =
            evaluate(StoredWeights(other, graph, model_.input.precision).total(graph), numbers);
        return here && there && *here != *there;
    }

    std::string of_layers() const { return grouped(value_of(Symbol::layers)) + " layers"; }

    void gibibytes(const Sheet& sheet, std::int64_t bytes) {
        worksheet_write_formula_num(sheet.sheet, sheet.row, 2, ("=B" + std::to_string(sheet.row + 1) + "/2^30").c_str(),
                                    nullptr, static_cast<double>(bytes) / (1 << 30));
    }

    const CountedModel& model_;
    const bool follows_layers_;
    std::set<Symbol> read_;  // by any formula
    std::unique_ptr<lxw_workbook, CloseBook> book_;
    lxw_format *heading_, *number_;
};

}  // namespace

Result<std::string> workbook(const CountedModel& model, const Memory& memory, MomentsOfActivations moments,
                             const std::string& made_for) {
    std::error_code failure;
    const fs::path folder = fs::temp_directory_path(failure);
    const fs::path path = folder / ("headcount-" + std::to_string(std::random_device{}()) + ".xlsx");
    Writer(path, model).write(memory, moments, made_for);
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    file.close();
    fs::remove(path, failure);
    if (bytes.empty()) return Error{"no file can be written there", path.string(), "set TMPDIR to a folder with room"};
    return bytes;
}

#else

Result<std::string> workbook(const CountedModel&, const Memory&, MomentsOfActivations, const std::string&) {
    return Error{"this build writes no spreadsheets", ".xlsx", "use one with libxlsxwriter, or write .html or .md"};
}

#endif

}  // namespace headcount
