// Reads questions that are words of the lecture or of the program alone.
#include "core/ask/whole_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

class WholeReader {
  public:
    WholeReader(std::string_view text, const AskAbout& about) : text_(text), atoms_(atoms_of(text)), about_(about) {}

    // Nothing where some word is of another kind.
    std::optional<Whole> read() {
        for (std::size_t at = 0; at < atoms_.size();) {
            const std::size_t atoms = take(at);
            if (atoms == 0) return std::nullopt;
            at += atoms;
        }
        whole_.whether = !atoms_.empty() && (atoms_.front().text == "is" || atoms_.front().text == "are");
        // "the tour about heads" is the one that shows them.
        if (tours_ && whole_.terms.size() == 1 && !whole_.terms.front()->tour.empty()) {
            whole_.actions = {"tour." + whole_.terms.front()->tour};
            whole_.terms.clear();
            whole_.explains = false;
        }
        return std::move(whole_);
    }

  private:
    std::size_t take(std::size_t at) {
        if (const std::size_t atoms = lesson(at)) return atoms;
        if (const std::size_t atoms = symbol(at)) return atoms;
        constexpr std::array<std::string_view, 8> of_kinds{"use",  "uses", "used", "which",
                                                           "kind", "type", "sort", "has"};
        const bool told = at == 0 && atoms_[at].text == "use";  // "use layernorm"
        whole_.of_kinds = whole_.of_kinds || (!told && contains(of_kinds, atoms_[at].text));
        const auto word = longest_spelled<AskWord>(ask_words(), atoms_, at, [](const AskWord&) { return true; });
        const auto filler = longest_spelled<AskPhrase>(ask_phrases(), atoms_, at, [](const AskPhrase& each) {
            return std::holds_alternative<AskFiller>(each.meaning) || each.meaning == AskMeaning(AskWide::compare) ||
                   each.meaning == AskMeaning(AskWide::models);
        });
        if (word.second == 0 || word.second < filler.second) {
            if (!filler.first && tours_ && atoms_[at].text.ends_with('s')) {  // "the tour about heads"
                atoms_[at].text.pop_back();
                return take(at);
            }
            if (!filler.first) return model(at);
            if (filler.first->meaning == AskMeaning(AskWide::models)) whole_.lists = true;
            if (filler.first->meaning == AskMeaning(AskWide::compare)) whole_.compares = true;
            return filler.second;
        }
        if (const auto* term = std::get_if<const AskTerm*>(&word.first->meaning)) {
            // "divide by the square root" says one twice
            if (std::find(whole_.terms.begin(), whole_.terms.end(), *term) == whole_.terms.end())
                whole_.terms.push_back(*term);
            understood(at, word.second, (*term)->name);
        } else if (const auto* does = std::get_if<AskDoes>(&word.first->meaning)) {
            whole_.actions.push_back(does->action);
            tours_ = does->numbered == "tour.";
        } else if (std::holds_alternative<AskExplains>(word.first->meaning)) {
            whole_.explains = true;
        }
        return word.second;
    }
    // Written as formulas have it, with its case: "T", "d_ff".
    std::size_t symbol(std::size_t at) {
        if (whole_.symbol) return 0;
        for (std::size_t count = std::min<std::size_t>(2, atoms_.size() - at); count > 0; --count) {
            const std::string_view typed =
                text_.substr(atoms_[at].begin, atoms_[at + count - 1].end - atoms_[at].begin);
            const auto found = std::ranges::find(symbols(), typed, &SymbolInfo::text);
            const std::size_t end = atoms_[at + count - 1].end;
            const bool goes_on = end < text_.size() && text_[end] == '_';  // "d_model"
            if (found == symbols().end() || goes_on) continue;
            whole_.symbol = found->symbol;
            understood(at, count, std::string(found->name));
            return count;
        }
        return 0;
    }
    // "worksheet 5", "tour number 3", "the 3rd tour": a lesson by its number.
    std::size_t lesson(std::size_t at) {
        const bool first = atoms_[at].number;
        const std::size_t behind = first && at + 1 < atoms_.size() && is_ordinal(atoms_[at + 1]) ? 2 : 1;
        if (first && behind == 1) return 0;
        const auto kind =
            longest_spelled<AskWord>(ask_words(), atoms_, first ? at + behind : at, [](const AskWord& each) {
                const auto* does = std::get_if<AskDoes>(&each.meaning);
                return does && !does->numbered.empty();
            });
        if (!kind.first) return 0;
        std::size_t end = at + kind.second + (first ? behind : 0), number = at;
        if (!first) {
            for (const std::string_view word : {"number", "no", "nr"}) end += spelled_at(atoms_, end, word);
            number = end++;
        }
        const ReadNumber read = number_at(atoms_, number);
        if (read.atoms != 1) return 0;
        choose(std::get<AskDoes>(kind.first->meaning).numbered, kind.first->words, read.value);
        return end - at;
    }
    static bool is_ordinal(const Atom& atom) {
        return atom.glued && (atom.text == "st" || atom.text == "nd" || atom.text == "rd" || atom.text == "th");
    }
    void choose(std::string_view lessons, std::string_view word, std::int64_t number) {
        std::int64_t last = 0;
        for (const AskCommand& each : about_.commands) {
            if (!each.id.starts_with(lessons)) continue;
            std::int64_t own = 0;
            const std::string_view id = each.id.substr(lessons.size());
            if (std::from_chars(id.data(), id.data() + id.size(), own).ec != std::errc()) continue;
            last = std::max(last, own);
            if (own == number) whole_.actions.emplace_back(each.id);
        }
        if (whole_.actions.empty())
            whole_.problem = "There is no " + std::string(word) + " " + grouped(number) +
                             (last > 0 ? ": they are numbered from 1 to " + grouped(last) + "." : ".");
    }
    std::size_t model(std::size_t at) {
        const NamedModel named = model_at(atoms_, at, about_.memory->names(about_.presets), about_.preset);
        if (!named.preset || whole_.preset) return 0;
        whole_.preset = named.preset;
        understood(at, named.atoms, named.preset->architecture.name);
        return named.atoms;
    }
    void understood(std::size_t at, std::size_t count, std::string meaning) {
        const std::size_t begin = atoms_[at].begin;
        whole_.readings.push_back(
            {std::string(text_.substr(begin, atoms_[at + count - 1].end - begin)), std::move(meaning)});
    }

    std::string_view text_;
    std::vector<Atom> atoms_;
    const AskAbout& about_;
    Whole whole_;
    bool tours_ = false;  // a tour is asked for, and not said which
};

}  // namespace

std::optional<Whole> whole_of(std::string_view text, const AskAbout& about) { return WholeReader(text, about).read(); }

}  // namespace headcount
