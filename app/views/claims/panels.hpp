// The panels of the Claims view: published statements, and the one that is chosen. Their windows leave 16 px and 24 px
// around.
#pragma once

#include <string>
#include <string_view>

#include "app/state/claims/page.hpp"
#include "app/state/claims/place.hpp"
#include "app/state/intent.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_claims_list(const Ui& ui, const ClaimsPage& page, const ClaimPlace& chosen);
Intents draw_claim(const Ui& ui, const ClaimsPage& page, const ClaimPlace& chosen, bool presents = false);

// How a verdict is marked; its word (verdict_key) always stands beside it.
struct VerdictLook {
    Icon icon = Icon::none;
    ImU32 ink = 0;
};
VerdictLook look_of(const Theme& theme, Verdict verdict);

// Words with symbols in them, to be drawn with scripts: what "W_o" lowers stays, "lm_head" is a name and is plain.
std::string with_symbols(std::string_view words);

// The steps as a table, the first wrong one marked; `chosen` is lit. Nothing where there are none.
void draw_claim_steps(const Ui& ui, const CheckedClaim& checked, std::optional<std::size_t> chosen, Intents& intents);

// Calls line(font, colour, text, scripts) for what stands below a value: its symbols, its numbers, what says so.
template <class Line>
void for_each_detail(const Ui& ui, const ClaimValue& value, Line&& line) {
    if (!value.symbols.empty()) line(ui.fonts.mono_caption, ui.theme.text_mid, value.symbols, true);
    if (!value.numbers.empty()) line(ui.fonts.mono_caption, ui.theme.text_low, value.numbers, false);
    if (!value.detail.empty()) line(ui.fonts.caption, ui.theme.text_mid, with_symbols(value.detail), true);
}

}  // namespace headcount
