// Lays a run's matrices out on sheets, and writes them with libxlsxwriter; see the header.
#include "core/workbook/forward.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "core/base/text.hpp"
#include "core/workbook/cell_formula.hpp"

#if HEADCOUNT_XLSX
#include <xlsxwriter.h>
#endif

namespace headcount {

#if HEADCOUNT_XLSX
namespace {

constexpr std::int64_t most_cells = 2'000'000, most_columns = 16'384, most_rows = 1'048'000;

// A matrix with its place.
struct Block {
    TensorIndex tensor;
    std::int64_t layer, copy;
    const Node* node = nullptr;  // that makes it; null of a parameter
    MatrixView numbers;
    SheetPlace place;
};

class Forward {
  public:
    explicit Forward(const Run& run) : run_(run), graph_(run.model().graph), numbers_(numbers_of(run)) {
        places_ = [this](TensorIndex tensor, std::int64_t layer, std::int64_t copy) -> std::optional<SheetPlace> {
            const auto found = at_.find({tensor, layer, copy});
            return found == at_.end() ? std::nullopt : std::optional(found->second);
        };
        name_sheets();
        for (const Node& node : graph_.nodes) place_node(node);
    }

    std::optional<Error> write(const std::filesystem::path& path) {
        if (cells_ > most_cells || too_wide_)
            return Error{"a spreadsheet of these " + grouped(cells_) + " numbers is too large", path.string(),
                         "run a smaller model, or a shorter prompt; .safetensors holds any"};
        lxw_workbook* const book = workbook_new(path.string().c_str());
        if (!book) return Error{"the spreadsheet has no memory", path.string(), "run a smaller model"};
        bold_ = workbook_add_format(book);
        format_set_bold(bold_);
        std::map<std::string, lxw_worksheet*> sheets;
        for (const auto& [name, rows] : ends_) sheets[name] = workbook_add_worksheet(book, name.c_str());
        write_ids(sheets.at(model_sheet));
        for (const Block& block : blocks_) write_block(sheets.at(unquoted(block.place.sheet)), block);
        const lxw_error status = workbook_close(book);
        if (status == LXW_NO_ERROR) return std::nullopt;
        return Error{lxw_strerror(status), path.string(), "choose another place"};
    }

  private:
    static constexpr const char* model_sheet = "model";

    static std::string unquoted(const std::string& sheet) { return sheet.substr(1, sheet.size() - 2); }

    // "model", "layer 3"; of two stacks "encoder.layer 3".
    std::string sheet_of(BlockIndex block, std::int64_t layer) const {
        if (!graph_.layer_of(block)) return model_sheet;
        const BlockIndex stack = graph_.stack_of(block);
        const std::string of = graph_.is(stack, BlockKind::stack) ? graph_.blocks[stack].id + "." : "";
        return of + "layer " + std::to_string(layer);
    }

    // The model's, with room for the tokens, and then those of the layers, in the order in which they run.
    void name_sheets() {
        constexpr std::int64_t below_tokens = 3;
        ends_.emplace_back(model_sheet, below_tokens);
        std::set<std::string> named;
        for (const LayerBlock& group : graph_.layers)
            for (std::int64_t layer = 0; layer < stack_layers(run_.model().architecture, group.group.kind); ++layer)
                if (const std::string name = sheet_of(group.block, layer); named.insert(name).second)
                    ends_.emplace_back(name, 0);
    }

    void place(TensorIndex tensor, std::int64_t layer, std::int64_t copy, const Node* node, const std::string& sheet) {
        const MatrixView numbers = numbers_.matrix(tensor, layer, copy);
        if (!numbers || at_.contains({tensor, layer, copy})) return;
        const auto end = std::ranges::find(ends_, sheet, &std::pair<std::string, std::int64_t>::first);
        const SheetPlace at{"'" + sheet + "'", end->second + 1, 0};
        blocks_.push_back(
            {.tensor = tensor, .layer = layer, .copy = copy, .node = node, .numbers = numbers, .place = at});
        at_[{tensor, layer, copy}] = at;
        end->second += numbers.rows + 2;
        cells_ += numbers.rows * numbers.columns;
        too_wide_ = too_wide_ || numbers.columns > most_columns || end->second > most_rows;
    }

    void place_copies(TensorIndex tensor, std::int64_t layer, const Node* node, const std::string& sheet) {
        const BlockIndex block = graph_.tensors[tensor].block;
        const bool copies = graph_.is(block, BlockKind::head) || graph_.is(block, BlockKind::expert);
        const std::int64_t own = graph_.layer_of(block) ? layer : 0;
        for (std::int64_t copy = 0; copy == 0 || copies; ++copy) {
            if (!numbers_.matrix(tensor, own, copy)) return;
            place(tensor, own, copy, node, sheet);
        }
    }

    void place_node(const Node& node) {
        const std::optional<std::size_t> group = graph_.layer_of(node.block);
        const Architecture& arch = run_.model().architecture;
        const LayerKind* const kind = group ? &graph_.layers[*group].group.kind : nullptr;
        const std::int64_t layers = kind ? stack_layers(arch, *kind) : 1;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            if (kind && graph_.group_of(layer_kind(arch, layer, kind->encoder)) != *group) continue;
            const std::string sheet = sheet_of(node.block, layer);
            for (const TensorIndex parameter : node.parameters) place_copies(parameter, layer, nullptr, sheet);
            // What only shows another matrix has no block: formulas read that one.
            const bool view = graph_.tensors[node.output].view;
            if (!view || !shows({node.output, layer, 0, 0, 0}, node)) place_copies(node.output, layer, &node, sheet);
        }
    }

    bool shows(const CellAt& cell, const Node& node) const {
        return Evaluator(numbers_, cell, node).shown(equation_of(graph_, node).right, 0, 0).has_value();
    }

    void write_ids(lxw_worksheet* sheet) const {
        worksheet_write_string(sheet, 0, 0, "Tokens, as ids: formulas read the rows that they say", bold_);
        for (std::size_t i = 0; i < run_.ids().size(); ++i)
            worksheet_write_number(sheet, 1, static_cast<lxw_col_t>(i), run_.ids()[i], nullptr);
    }

    // Row by row; none where one of them has none.
    std::vector<std::string> formulas_of(const Block& block) const {
        std::vector<std::string> all;
        if (!block.node) return all;
        const Formula right = equation_of(graph_, *block.node).right;
        for (std::int64_t row = 0; row < block.numbers.rows; ++row)
            for (std::int64_t column = 0; column < block.numbers.columns; ++column) {
                const CellAt cell{block.tensor, block.layer, block.copy, row, column};
                std::optional<std::string> formula = CellFormula(numbers_, places_, cell, *block.node).of(right);
                if (!formula) return {};
                all.push_back("=" + *std::move(formula));
            }
        return all;
    }

    void write_block(lxw_worksheet* sheet, const Block& block) const {
        const std::vector<std::string> formulas = formulas_of(block);
        std::size_t next = 0;
        for (std::int64_t row = 0; row < block.numbers.rows; ++row)
            for (std::int64_t column = 0; column < block.numbers.columns; ++column) {
                const auto down = static_cast<lxw_row_t>(block.place.row + row);
                const auto across = static_cast<lxw_col_t>(column);
                const auto value = static_cast<double>(block.numbers.at(row, column));
                if (formulas.empty())
                    worksheet_write_number(sheet, down, across, value, nullptr);
                else
                    worksheet_write_formula_num(sheet, down, across, formulas[next++].c_str(), nullptr, value);
            }
        worksheet_write_string(sheet, static_cast<lxw_row_t>(block.place.row - 1), 0,
                               heading_of(block, !formulas.empty()).c_str(), bold_);
    }

    std::string heading_of(const Block& block, bool live) const {
        const Tensor& tensor = graph_.tensors[block.tensor];
        std::string heading = std::string(tensor.label) + ", " + std::string(tensor.symbol) + ": " + tensor.id;
        const std::string number = std::to_string(block.copy);
        if (graph_.is(tensor.block, BlockKind::head)) heading += ", head " + number;
        if (graph_.is(tensor.block, BlockKind::expert))
            heading += (block.node ? ", each token's expert " : ", expert ") + number;
        if (block.node && !live) heading += " (numbers of the run: no formula computes them here)";
        return heading;
    }

    const Run& run_;
    const ModelGraph& graph_;
    const RunNumbers numbers_;
    SheetPlaces places_;
    std::vector<Block> blocks_;
    std::map<std::tuple<TensorIndex, std::int64_t, std::int64_t>, SheetPlace> at_;
    std::vector<std::pair<std::string, std::int64_t>> ends_;  // sheets, and the first free row of each
    std::int64_t cells_ = 0;
    bool too_wide_ = false;
    lxw_format* bold_ = nullptr;
};

}  // namespace

std::optional<Error> write_forward_pass(const Run& run, const std::filesystem::path& path) {
    return Forward(run).write(path);
}

#else

std::optional<Error> write_forward_pass(const Run&, const std::filesystem::path& path) {
    return Error{"this build writes no spreadsheets", path.string(), "use one with libxlsxwriter, or .safetensors"};
}

#endif

}  // namespace headcount
