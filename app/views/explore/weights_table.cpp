// The Weights tab's line of words and filters, and its table: bytes by type, or what differs.
#include "app/views/explore/weights_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <span>

#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/table.hpp"
#include "core/base/text.hpp"
#include "core/files/documents.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

constexpr std::array difference_columns{TableColumn{"Tensor", 330, 200, Align::left, true, false, true},
                                        TableColumn{"", 116, 112},
                                        TableColumn{"Computed", 124, 96, Align::right, true},
                                        TableColumn{"In the file", 124, 96, Align::right, true},
                                        TableColumn{"Type", 64, 52, Align::left, true},
                                        TableColumn{"Name in the file", 190, 0, Align::left, true}};
constexpr std::array type_columns{
    TableColumn{"Type", 120, 80, Align::left, true, false, true}, TableColumn{"Tensors", 96, 72, Align::right, true},
    TableColumn{"Parameters", 148, 116, Align::right, true}, TableColumn{"Bytes", 148, 116, Align::right, true},
    TableColumn{"Share", 80, 64, Align::right, true}};

constexpr std::array states{MatchState::missing, MatchState::reshaped, MatchState::retyped, MatchState::unexpected,
                            MatchState::ignored};
constexpr std::size_t every_state = states.size(), types = every_state + 1;

// Which rows are shown. Kept from frame to frame, and made anew for another comparison.
struct Filter {
    std::shared_ptr<const CheckpointMatch> match;
    std::size_t shown = types;            // an index of `states`, or one of the two above
    std::array<int, states.size()> of{};  // rows of each state
    std::vector<int> rows;
    bool renamed = false;  // the file has names of its own
    int row = -1;          // pressed last
};

void show(Filter& filter, std::size_t which) {
    filter.shown = which;
    filter.row = -1;
    filter.rows.clear();
    const auto& all = filter.match->rows;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (which == every_state || (which < states.size() && all[i].state == states[which]))
            filter.rows.push_back(static_cast<int>(i));
}

Filter& filter_of(const Ui& ui, const std::shared_ptr<const CheckpointMatch>& made) {
    Filter& filter = kept<Filter>(ui, "weights");
    if (filter.match == made) return filter;
    filter.match = made;
    const CheckpointMatch& match = *made;
    for (std::size_t i = 0; i < states.size(); ++i)
        filter.of[i] = static_cast<int>(
            std::ranges::count_if(match.rows, [&](const MatchRow& row) { return row.state == states[i]; }));
    filter.renamed = std::ranges::any_of(
        match.rows, [](const MatchRow& row) { return !row.file_name.empty() && row.file_name != row.name; });
    show(filter, match.differences > 0 ? every_state : types);
    return filter;
}

// "4096 × 11008"
std::string sizes_text(const std::vector<std::int64_t>& sizes) {
    std::string text;
    for (const std::int64_t each : sizes) text += (text.empty() ? "" : " × ") + std::to_string(each);
    return text;
}

struct Chip {
    std::string name, words;
    std::size_t which;
};

std::vector<Chip> chips_of(const Filter& filter) {
    const CheckpointMatch& match = *filter.match;
    std::vector<Chip> chips{{"types", "by type", types}};
    if (match.rows.empty()) return chips;
    chips.push_back({"all", "all " + grouped(static_cast<std::int64_t>(match.rows.size())), every_state});
    const auto kinds = std::ranges::count_if(filter.of, [](int count) { return count > 0; });
    for (std::size_t i = 0; kinds > 1 && i < states.size(); ++i)
        if (filter.of[i] > 0)
            chips.push_back({std::to_string(i), std::string(match_word(states[i])) + " " + grouped(filter.of[i]), i});
    if (kinds == 1)
        chips.back().words = std::string(match_word(match.rows.front().state)) + " " +
                             grouped(static_cast<std::int64_t>(match.rows.size()));
    return chips;
}

// The words, and the chips beside them where there is room, else below.
void draw_head(const Ui& ui, const FileWeights& weights, Filter* filter) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float padding = ui.px(size::panel_padding), line = std::round(ui.px(28)), between = ui.px(6);
    const float width = ImGui::GetContentRegionAvail().x, left = start.x + padding, right = start.x + width - padding;
    const std::string words = weights_summary(weights);
    const std::vector<Chip> chips = filter ? chips_of(*filter) : std::vector<Chip>{};
    float chips_width = -between;
    for (const Chip& chip : chips) chips_width += chip_width(ui, chip.words) + between;
    const float words_width = text_width(ui.fonts.body, words);
    const bool beside = words_width + ui.px(24) + chips_width <= right - left;
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.body, ImVec2(left, start.y), ImVec2(right, start.y + line),
                 ui.theme.text_high, words);
    ui.recorder.record("weights.summary", ImVec2(left, start.y),
                       ImVec2(std::min(right, left + words_width), start.y + line));
    float x = beside ? right - chips_width : left;
    const float top = start.y + (beside ? 0 : line) + std::round((line - ui.px(size::chip)) / 2);
    for (const Chip& chip : chips) {
        ImGui::SetCursorScreenPos(ImVec2(x, top));
        if (chip_button(ui, "weights.show." + chip.name, chip.words, filter->shown == chip.which))
            show(*filter, chip.which);
        x += chip_width(ui, chip.words) + between;
    }
    place(start, ImVec2(width, beside || chips.empty() ? line : 2 * line));
}

void fill_type(const CheckpointMatch& match, const TypeTotal& type, TableRow& row) {
    row.name = type.type;
    row.about = total_key;
    row.cells[0] = {type.type};
    row.cells[1] = {row.keep(grouped(type.tensors))};
    row.cells[2] = {row.keep(grouped(type.parameters))};
    row.cells[3] = {row.keep(grouped(type.bytes))};
    row.cells[4] = {row.keep(percent(type.bytes, match.bytes))};
}

// What is said of a tensor without its layer is said of all of its layers.
bool shows(const ModelGraph& graph, const NamedTensor& named, const Subject& subject) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    if (!tensor || !named.stored) return false;
    const auto meant = [](std::optional<std::int64_t> asked, std::optional<std::int64_t> own) {
        return !asked || !own || *asked == *own;
    };
    const Copies &asked = tensor->copies, &own = named.copies;
    return meant(asked.layer, own.layer) && meant(asked.head, own.head) && meant(asked.expert, own.expert) &&
           std::ranges::any_of(named.stored->parts,
                               [&](TensorIndex part) { return graph.tensors[part].id == tensor->id; });
}

void fill_difference(const Ui& ui, const Shown& model, const MatchRow& match, TableRow& row) {
    const ModelGraph& graph = model.derived.shown.graph;
    const NamedTensor named = stored_named(model.derived.shown, match.name);
    if (named.stored) {
        const Tensor& first = graph.tensors[named.stored->parts.front()];
        row.swatch = swatch_of(ui.theme, first);
        row.about = first.id;
    }
    row.name = match.name;
    const bool besides = match.state == MatchState::ignored || match.state == MatchState::retyped;
    row.cells[0] = {match.name, besides ? ui.theme.text_mid : 0};
    row.cells[1] = {match_word(match.state), besides ? ui.theme.text_low : readable(ui.theme, ui.theme.wrong)};
    row.cells[2] = {row.keep(sizes_text(match.expected))};
    row.cells[3] = {row.keep(sizes_text(match.found))};
    row.cells[4] = {match.type, ui.theme.text_mid};
    if (match.file_name != match.name) row.cells[5] = {match.file_name, ui.theme.text_mid};
    row.selected = shows(graph, named, model.look.selection);
    row.lit = shows(graph, named, model.look.hover);
}

std::optional<std::int64_t> number_in(std::string_view text, std::size_t& at) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (read.ec != std::errc{}) return std::nullopt;
    at = static_cast<std::size_t>(read.ptr - text.data());
    return value;
}

// Whether the name is the pattern with a number for each "{i}", "{e}", "{h}": the layer, the expert, the head.
bool is_named(std::string_view pattern, std::string_view name, Copies& copies) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '{') {
            if (at == name.size() || name[at++] != pattern[i]) return false;
            continue;
        }
        const std::string_view which = pattern.substr(i, 3);
        std::optional<std::int64_t>& copy = which == "{i}"   ? copies.layer
                                            : which == "{e}" ? copies.expert
                                                             : copies.head;
        // GGUF's stacked experts stand for all of them.
        if (which != "{i}" && name.substr(at, 3) == which) {
            at += 3;
        } else {
            copy = number_in(name, at);
            if (!copy) return false;
        }
        i += 2;
    }
    return at == name.size();
}

}  // namespace

NamedTensor stored_named(const Counted& counted, std::string_view name) {
    const ModelGraph& graph = counted.graph;
    for (const std::vector<StoredTensor>* list : {&graph.stored, &graph.buffers})
        for (const StoredTensor& stored : *list) {
            NamedTensor found{&stored};
            if (!is_named(stored.name, name, found.copies)) continue;
            if (!stored.layer) return found;
            const LayerGroup& group = graph.layers[*stored.layer].group;
            std::optional<std::int64_t>& layer = found.copies.layer;
            // What one layer has in a module that layers share is not named after it.
            if (!layer) layer = group.first;
            if (is_of_kind(counted.architecture, *layer, group.kind)) return found;
        }
    return {};
}

std::string weights_summary(const FileWeights& weights) {
    const Checkpoint& checkpoint = *weights.checkpoint;
    std::string text = checkpoint.format;
    if (checkpoint.files.size() > 1)
        text += ", " + grouped(static_cast<std::int64_t>(checkpoint.files.size())) + " shards";
    if (!weights.match) return text + ", " + bytes_text(checkpoint.bytes) + ". " + weights.failure;
    const CheckpointMatch& match = *weights.match;
    return text + ", " + bytes_text(match.bytes) + ", " + grouped(match.matched) + " tensors match, " +
           grouped(match.differences) + " do not";
}

std::string weights_as_csv(const FileWeights& weights, std::string_view made_for) {
    if (!weights.match) return "";
    return csv(weights.match->rows.empty() ? types_table(*weights.match) : match_table(*weights.match), made_for);
}

Intents draw_weights(const Ui& ui, const Shown& model) {
    Intents intents;
    const FileWeights& weights = model.derived.weights;
    if (!weights.match) {
        draw_head(ui, weights, nullptr);
        return intents;
    }
    const CheckpointMatch& match = *weights.match;
    Filter& filter = filter_of(ui, weights.match);
    draw_head(ui, weights, &filter);
    if (filter.shown == types) {
        TableOptions options;
        options.rows = static_cast<int>(match.types.size());
        const TableResult result = table(ui, "weights.types", type_columns, options, [&](int index, TableRow& row) {
            fill_type(match, match.types[static_cast<std::size_t>(index)], row);
        });
        if (result.copy) intents.push_back(Copy{csv(types_table(match), title_of(model.document)), "the table (CSV)"});
        return intents;
    }
    const auto row_of = [&](int index) -> const MatchRow& {
        return match.rows[static_cast<std::size_t>(filter.rows[static_cast<std::size_t>(index)])];
    };
    TableOptions options;
    options.rows = static_cast<int>(filter.rows.size());
    options.selected = std::min(filter.row, options.rows - 1);
    const auto columns = std::span(difference_columns).first(difference_columns.size() - (filter.renamed ? 0 : 1));
    const TableResult result = table(ui, "weights", columns, options,
                                     [&](int index, TableRow& row) { fill_difference(ui, model, row_of(index), row); });
    const auto subject_of = [&](int index) -> Subject {
        const NamedTensor named = stored_named(model.derived.shown, row_of(index).name);
        if (!named.stored) return {};
        return TensorSubject{model.derived.shown.graph.tensors[named.stored->parts.front()].id, named.copies};
    };
    if (result.hovered && !nothing(subject_of(*result.hovered))) intents.push_back(Hover{subject_of(*result.hovered)});
    if (result.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right))
        intents.push_back(Copy{row_of(*result.hovered).name, row_of(*result.hovered).name});
    if (result.clicked) {
        filter.row = *result.clicked;
        if (!nothing(subject_of(*result.clicked))) intents.push_back(Select{subject_of(*result.clicked)});
    }
    if (result.copy) intents.push_back(Copy{csv(match_table(match), title_of(model.document)), "the table (CSV)"});
    return intents;
}

}  // namespace headcount
