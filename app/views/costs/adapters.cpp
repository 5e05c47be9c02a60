// The rows of the Costs view that say which adapters stand beside the weights.
#include "core/analysis/adapters.hpp"

#include "app/views/costs/setting_rows.hpp"

namespace headcount {

void adapter_rows(CostsSettings& settings) {
    const std::optional<Adapters>& own = settings.place.adapters;
    words_row(settings, "costs.adapters", "Adapters", std::array<std::string_view, 3>{"none", "LoRA", "DoRA"},
              own ? (own->magnitudes ? 2 : 1) : 0,
              "Two narrow matrices beside a layer's own, unmerged; training trains them alone (Hu et al. 2021). DoRA: "
              "and a number for each output (Liu et al. 2024).",
              [](CostsPlace& changed, std::size_t chosen) {
                  if (chosen == 0) return changed.adapters.reset();
                  if (!changed.adapters) changed.adapters.emplace();
                  changed.adapters->magnitudes = chosen == 2;
              });
    said_about(settings, "adapter");
    if (!own) return;
    number_row(settings, "rank", "Rank", "How many columns lie between the two.", own->rank, Adapters{}.rank, 1,
               [](CostsPlace& place, std::int64_t value) { place.adapters->rank = value; });
    const std::string text = targets_text(*own);
    TypedRow row{.label = "Beside",
                 .text = text.empty() ? std::string_view("usual") : text,
                 .changed = !text.empty(),
                 .may_reset = !text.empty(),
                 .tooltip =
                     "The last names of layers, such as q_proj,v_proj, or all. Usual: what PEFT adapts of this "
                     "type, else those of queries and values."};
    const std::string_view refused = [&] {
        const IdScope scope("costs.targets");
        return refused_text(settings.ui, "field");
    }();
    const Result<std::vector<std::string>> unread = parse_targets(refused, "targets");
    const std::optional<Error>& wrong = settings.page.wrong;
    if (!unread)
        row.error = FieldError{sentence_of(unread.error()), {}};
    else if (wrong && wrong->where == "targets")
        row.error = FieldError{sentence_of(*wrong), {}};
    const TypedRowResult result = typed_row(settings.ui, "costs.targets", row);
    if (!result.reset && (!result.typed || *result.typed == row.text)) return;
    const Result<std::vector<std::string>> read = parse_targets(result.reset ? "" : *result.typed, "targets");
    if (read) return settings.set([&](CostsPlace& place) { set_targets(*place.adapters, *read); });
    const IdScope scope("costs.targets");
    refuse(settings.ui, "field", *result.typed, {.text = row.text, .row = "costs.targets"});
}

}  // namespace headcount
