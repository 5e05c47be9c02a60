// Puts what was found into words.
#include "core/diagnose/said.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// "0.0012 %", "37 %", "4.1 times".
std::string share_text(double share) {
    if (!std::isfinite(share)) return "more than any share of its size: one of the two is infinite, or ours is 0";
    if (share >= 10) return factor_text(share) + " times its size";
    return (share >= 0.01 ? decimal_text(100 * share, 0) : factor_text(100 * share)) + " % of its size";
}

// "0, 2-5": where the difference is no rounding; empty where that is everywhere, or where there is one alone.
std::string places_text(const std::vector<double>& shares, double tolerance) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    std::size_t count = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] <= tolerance) continue;
        ++count;
        if (!ranges.empty() && ranges.back().second + 1 == i)
            ranges.back().second = i;
        else
            ranges.emplace_back(i, i);
    }
    if (count == shares.size() || count == 0) return "";
    constexpr std::size_t most = 8;
    const bool cut = ranges.size() > most;
    if (cut) ranges.resize(most);
    return listed(ranges,
                  [](const auto& range) {
                      const std::string from = std::to_string(range.first);
                      return range.first == range.second ? from : from + "-" + std::to_string(range.second);
                  }) +
           (cut ? ", ..." : "");
}

class Speaker {
  public:
    explicit Speaker(const Diagnosis& found) : found_(found) {}

    std::vector<SaidLine> say() {
        say_agreement();
        if (!found_.first) {
            say_equal();
        } else {
            say_first();
            say_verdict();
        }
        return std::move(lines_);
    }

  private:
    void add(Says about, std::string text, bool detail = false) { lines_.push_back({about, std::move(text), detail}); }

    void say_agreement() {
        const std::int64_t agree = found_.first ? std::ranges::count_if(found_.compared, &ComparedTensor::agrees)
                                                : std::ssize(found_.compared);
        std::string text = grouped(agree) + " of " + grouped(std::ssize(found_.compared)) + " compared tensors agree";
        if (!found_.unknown.empty())
            text += "; not compared, since nothing of the model has their shape and name or numbers: " +
                    printable(listed(found_.unknown));
        add(Says::agreement, std::move(text));
    }

    void say_equal() {
        double largest = 0;
        for (const ComparedTensor& each : found_.compared) {
            if (each.agrees()) largest = std::max(largest, each.difference);
            if (!each.equals.empty())
                add(Says::verdict,
                    printable(quote(each.theirs)) + " has the numbers of " + each.equals + ", not of " + each.ours);
        }
        add(Says::verdict, "equal: the largest difference is " + share_text(largest));
    }

    void say_first() {
        const ComparedTensor& first = found_.compared[*found_.first];
        const std::string theirs = first.theirs == first.ours ? "" : ", theirs " + printable(quote(first.theirs));
        const std::string which =
            first.by == LinkedBy::nearest ? " (nothing says what it is; this is the nearest of its shape)" : "";
        add(Says::difference,
            "first that differs: " + first.ours + theirs + which + ", by " + share_text(first.difference));
        const auto say = [&](const std::string& what, const std::vector<double>& shares) {
            const std::string text = places_text(shares, first.tolerance);
            if (!text.empty())
                add(Says::difference, what + ' ' + text + " differ, of " + grouped(std::ssize(shares)), true);
            else if (shares.size() > 1)
                add(Says::difference, "all " + grouped(std::ssize(shares)) + ' ' + what + " differ", true);
        };
        say("tokens", found_.where.tokens);
        say("heads", found_.where.heads);
        say("columns", found_.where.columns);
        if (!first.equals.empty()) add(Says::difference, "it has the numbers of " + first.equals, true);
    }

    void say_verdict() {
        if (!found_.causes.empty()) return say_causes();
        if (found_.rounding)
            return add(Says::verdict,
                       "rounding: the differences are of the size that computing in bfloat16 makes, and no mistake "
                       "that is known makes these numbers");
        if (!found_.agrees_behind.empty())
            return add(Says::verdict, "cause: none. " + found_.agrees_behind +
                                          ", which is made of it, agrees: theirs is something else than its name "
                                          "says, such as scores before they are scaled");
        add(Says::verdict, "cause: not known. None of " + grouped(found_.tried) +
                               " mistakes makes their numbers, and no two at once of those that were tried: " +
                               grouped(found_.pairs_tried) + " of the " + grouped(found_.pairs) + " pairs that could" +
                               (found_.small ? ". The differences are as small as those of rounding to bfloat16, but "
                                               "theirs have all digits of float32: look for another constant, such as "
                                               "an epsilon, or another token"
                                             : ""));
    }

    void say_causes() {
        const Cause& cause = found_.causes.front();
        for (const std::string& each : cause.says) add(Says::verdict, "cause: " + each);
        if (cause.by_chance)
            return add(Says::verdict,
                       cause.names.front() + ": what is made of it is another each time, and is not compared", true);
        const auto all = std::ssize(found_.compared), agree = static_cast<std::ptrdiff_t>(cause.agree);
        std::string with = listed(cause.names) + ": with " + (cause.names.size() > 1 ? "both " : "it ");
        if (agree < all) with += grouped(agree) + " of ";
        with += "all " + grouped(all) + " agree, to " + share_text(cause.difference);
        if (cause.rounded) with += ", which rounding to bfloat16 explains";
        if (agree < all) with += "; it makes none of the others";
        add(Says::verdict, std::move(with), true);
        for (std::size_t i = 1; i < found_.causes.size(); ++i)
            add(Says::verdict, "or as well: " + listed(found_.causes[i].says, std::identity(), "; and "));
    }

    const Diagnosis& found_;
    std::vector<SaidLine> lines_;
};

}  // namespace

std::vector<SaidLine> said_lines(const Diagnosis& found) { return Speaker(found).say(); }

}  // namespace headcount
