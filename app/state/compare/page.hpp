// What the document is compared with, and what makes the two differ. Worked out while the Compare view is open, and
// only when either side is another than before.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/state/compare/place.hpp"
#include "app/state/compare/run.hpp"
#include "app/state/notice.hpp"
#include "app/state/shown.hpp"
#include "core/analysis/difference.hpp"
#include "core/files/presets.hpp"

namespace headcount {

class NumbersFinder;  // app/state/compare/numbers.hpp
struct NumbersApart;

struct ComparePage {
    // B: what was counted of it, or of the last B that was possible, and what is wrong with it. Nothing before somebody
    // has looked.
    std::optional<Shown> other;
    std::shared_ptr<const Difference> difference;  // null: nobody has looked, or `failure` says why there is none
    std::string failure;
    Architecture a, b;                          // that it is of
    std::function<void()> wake;                 // it is called from a thread when the numbers are there; may be null
    std::shared_ptr<NumbersFinder> finder;      // null as long as nobody has looked at numbers
    std::shared_ptr<const NumbersApart> apart;  // null: not asked for, not found yet, or `no_numbers` says why
    std::string no_numbers;
    OtherRun run;  // of B, beside that of the user's own model
};

// Why B is what it is.
enum class ComparedBecause { chosen, edited, alike };

ComparedBecause why_compared_with(const Document& document);
// B: what was chosen; else what an edited document came from; else a model of the same family, about as large.
Compared compared_with(const Document& document, std::span<const Preset> presets);

// In the Compare view's tab of numbers: how far those of B's weights are from A's.
void look_at_numbers(ComparePage& page, const Shown& a);
void rest_numbers(ComparePage& page);  // where nobody looks

// Whether others have been found than those that are shown.
bool has_news(const ComparePage& page);

// In the Compare view: keeps B and the difference as A is. Does nothing where they are. `reads`: A has been lent the
// tokens of its run, and so is B.
void look_at_both(ComparePage& page, const Shown& a, std::span<const Preset> presets, bool reads = false);

// What an intent makes of the document, where it makes something of it, and what is said about it.
struct ComparedEdit {
    std::optional<Document> document = {};
    bool settled = true;  // as those of Replace
    unsigned run = 0;
    Notice notice = {};
};

// Everything but looking; the document is for the caller.
ComparedEdit change_compare(ComparePage& page, ComparePlace& place, Shown& a, std::span<const Preset> presets,
                            const CompareIntent& intent);

}  // namespace headcount
