// The tasks' lines, and the floors that follow from how these are drawn.
#include "core/train/task.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/runtime/fill_weights.hpp"

namespace headcount {
namespace {

// Numbers of one line, one behind the other.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t line, std::uint64_t attempt, bool held_out)
        : stream_(random_stream(
              seed, (held_out ? "held out " : "line ") + std::to_string(line) + " " + std::to_string(attempt))) {}

    // From 0, below `count`.
    std::int32_t below(std::int64_t count) {
        return static_cast<std::int32_t>(random_share(stream_, next_++) * static_cast<double>(count));
    }

  private:
    std::uint64_t stream_, next_ = 0;
};

constexpr std::int32_t letter_count = 26;
constexpr std::int64_t most_window = 1 << 20;

// Sentences of masked words: who, what only that one does, and how, which is drawn. Of each one word is hidden.
constexpr std::array<std::string_view, 8> animals{" dog", " cat", " cow", " bee", " owl", " duck", " lion", " frog"};
constexpr std::array<std::string_view, animals.size()> doings{" barks", " purrs",  " moos",  " hums",
                                                              " hoots", " quacks", " roars", " croaks"};
constexpr std::array<std::string_view, 4> manners{" loudly", " softly", " again", " alone"};
constexpr std::int64_t words_in_sentence = 3;  // and a full stop

struct Made {
    std::vector<std::int32_t> question, answer;
    std::vector<std::size_t> hidden = {};  // of the question
};

// Numbers below 10^digits as their digits, the highest first.
void put_number(std::vector<std::int32_t>& to, std::int64_t number, std::int64_t digits) {
    const std::size_t at = to.size();
    to.resize(at + static_cast<std::size_t>(digits));
    for (std::int64_t i = digits; i-- > 0; number /= 10)
        to[at + static_cast<std::size_t>(i)] = static_cast<std::int32_t>(number % 10);
}

std::int64_t power_of_ten(std::int64_t digits) {
    std::int64_t power = 1;
    for (std::int64_t i = 0; i < digits; ++i) power *= 10;
    return power;
}

// Brackets are opened and closed at random, half of the time each where one is open; the answer closes those that are
// still open. Ids: ( [ ) ].
Made brackets(Draws& draws, std::int64_t count, std::int32_t end) {
    Made made;
    std::vector<std::int32_t> open;
    for (std::int64_t i = 0; i < count; ++i) {
        if (open.empty() || draws.below(2) == 0) {
            open.push_back(draws.below(2));
            made.question.push_back(open.back());
        } else {
            made.question.push_back(open.back() + 2);
            open.pop_back();
        }
    }
    for (; !open.empty(); open.pop_back()) made.answer.push_back(open.back() + 2);
    made.answer.resize(static_cast<std::size_t>(count) + 1, end);
    return made;
}

Made sentences(Draws& draws, std::int64_t count) {
    Made made;
    constexpr auto first_doing = static_cast<std::int32_t>(animals.size()), first_manner = 2 * first_doing,
                   stop = first_manner + static_cast<std::int32_t>(manners.size());
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int32_t animal = draws.below(std::ssize(animals)), manner = draws.below(std::ssize(manners));
        made.hidden.push_back(made.question.size() + static_cast<std::size_t>(draws.below(words_in_sentence)));
        made.question.insert(made.question.end(), {animal, first_doing + animal, first_manner + manner, stop});
    }
    return made;
}

// Letters that are all different, then one of them again: what follows it is what followed it before.
Made induction(Draws& draws, std::int64_t count) {
    Made made;
    std::vector<std::int32_t> left;
    for (std::int32_t i = 0; i < letter_count; ++i) left.push_back(i);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = left.begin() + draws.below(std::ssize(left));
        made.question.push_back(*at);
        left.erase(at);
    }
    const auto again = static_cast<std::size_t>(draws.below(count - 1));
    made.question.push_back(made.question[again]);
    made.answer.push_back(made.question[again + 1]);
    return made;
}

// Whether lines with this question are never trained on: one in eight.
bool is_held_out(const std::vector<std::int32_t>& question) {
    std::string bytes;
    for (const std::int32_t id : question) bytes += std::to_string(id) + ",";
    return random_share(random_stream(0, bytes), 0) < 0.125;
}

}  // namespace

std::string_view task_meaning(TaskKind kind) {
    constexpr std::array<std::string_view, task_words.size()> meanings{"the letters once more",
                                                                       "the letters backwards",
                                                                       "the letters in the order of the alphabet",
                                                                       "the sum of two numbers",
                                                                       "the sum of two numbers, modulo a third",
                                                                       "what followed the last letter before",
                                                                       "what closes the brackets that are open",
                                                                       "the words of sentences that are hidden",
                                                                       "the next character of a text"};
    return meanings[static_cast<std::size_t>(kind)];
}

std::string_view letters_are(TaskKind kind) {
    return kind == TaskKind::add ? "digit" : kind == TaskKind::masked ? "sentence" : "letter";
}

std::string task_title(const TaskSettings& settings) {
    const auto of = [](std::int64_t count, std::string_view what) {
        return grouped(count) + " " + std::string(what) + (count == 1 ? "" : "s");
    };
    if (settings.kind == TaskKind::text)
        return "Own text, " + of(settings.tokens, settings.tokenizer ? "token" : "character");
    const std::string name = capitalized(word_of(task_words, settings.kind));
    if (settings.kind == TaskKind::modular) return name + ", " + std::to_string(settings.modulus);
    return name + ", " + of(settings.letters, letters_are(settings.kind));
}

Result<Task> Task::make(const TaskSettings& settings) {
    const auto bounds = [&]() -> std::pair<std::int64_t, std::int64_t> {
        if (settings.kind == TaskKind::add) return {1, 6};
        if (settings.kind == TaskKind::induction) return {2, letter_count};
        return {1, 64};
    }();
    const bool counts = settings.kind != TaskKind::modular && settings.kind != TaskKind::text;
    if (counts && (settings.letters < bounds.first || settings.letters > bounds.second))
        return Error{"the task " + std::string(word_of(task_words, settings.kind)) + " has no lines of " +
                         grouped(settings.letters) + " " + std::string(letters_are(settings.kind)) + "s",
                     "letters",
                     "give a number from " + std::to_string(bounds.first) + " to " + std::to_string(bounds.second)};
    if (settings.kind == TaskKind::modular && (settings.modulus < 2 || settings.modulus > 1000))
        return Error{"no sums are taken modulo " + grouped(settings.modulus), "modulus",
                     "give a number from 2 to 1,000"};
    Task task(settings);
    if (settings.kind == TaskKind::text)
        if (std::optional<Error> error = task.read_text()) return *std::move(error);
    task.lay_out();
    return task;
}

// Characters become tokens in the order in which they first stand.
void Task::cut_into_characters() {
    std::map<std::string, std::int32_t> ids;
    const std::string& text = settings_.text;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
        const auto [found, fresh] = ids.emplace(text.substr(i, end - i), static_cast<std::int32_t>(tokens_.size()));
        if (fresh) tokens_.push_back(found->first);
        text_.push_back(found->second);
        i = end;
    }
}

std::optional<Error> Task::cut_into_tokens() {
    const Tokenizer& tokenizer = *settings_.tokenizer;
    for (std::int32_t id = 0; id < tokenizer.size(); ++id) tokens_.push_back(tokenizer.piece(id));
    std::string_view rest = settings_.text;
    for (std::int64_t number = 1; !rest.empty(); ++number) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (line.empty()) continue;
        const Result<std::vector<std::int32_t>> ids = tokenizer.encode(line);
        if (!ids) return within("line " + grouped(number), ids.error());
        begins_.push_back(std::ssize(text_));
        text_.insert(text_.end(), ids->begin(), ids->end());
        const std::vector<std::int32_t>& ends = tokenizer.ends();
        const bool ended = !ids->empty() && contains(ends, ids->back());
        if (!ends.empty() && !ended) text_.push_back(ends.front());
    }
    return std::nullopt;
}

std::int64_t Task::windows(bool held_out) const {
    const std::int64_t all = std::ssize(text_), first_held = all - all / 10;
    const std::int64_t first = held_out ? first_held : 0, last = (held_out ? all : first_held) - line_length_;
    if (!settings_.tokenizer) return std::max<std::int64_t>(0, last - first + 1);
    return std::max<std::int64_t>(0,
                                  std::ranges::upper_bound(begins_, last) - std::ranges::lower_bound(begins_, first));
}

std::int64_t Task::window(bool held_out, std::int64_t number) const {
    const std::int64_t all = std::ssize(text_), first = held_out ? all - all / 10 : 0;
    if (!settings_.tokenizer) return first + number;
    return *(std::ranges::lower_bound(begins_, first) + number);
}

std::optional<Error> Task::read_text() {
    if (!is_utf8(settings_.text)) return Error{"this text is not UTF-8", "text", "give a text file, saved as UTF-8"};
    if (settings_.tokens < 1 || settings_.tokens > most_window)
        return Error{"there are no windows of " + grouped(settings_.tokens) + " tokens", "tokens",
                     "give a number from 1 to " + grouped(most_window)};
    if (settings_.tokenizer) {
        if (std::optional<Error> error = cut_into_tokens()) return error;
    } else {
        cut_into_characters();
    }
    line_length_ = settings_.tokens + 1;
    const bool short_of = windows(false) == 0 || windows(true) == 0;
    if (short_of && settings_.tokenizer)
        return Error{"of a text of " + grouped(std::ssize(text_)) +
                         " tokens, whose last tenth is held out, too few lines begin where a window of " +
                         grouped(settings_.tokens) + " tokens has room",
                     "text", "give more text, shorter lines, or fewer tokens"};
    if (short_of)
        return Error{"a text of " + grouped(std::ssize(text_)) +
                         " characters, whose last tenth is held out, is too short for windows of " +
                         grouped(settings_.tokens) + " tokens",
                     "text", "give at least " + grouped(10 * (settings_.tokens + 2)) + " characters, or fewer tokens"};
    if (tokens_.size() > 1) return std::nullopt;
    return Error{"all characters of this text are the same", "text", "give one from which something can be learned"};
}

void Task::lay_out() {
    const std::int64_t n = settings_.letters;
    const auto count = [](std::int64_t number) { return std::to_string(number); };
    const auto put = [&](double nats, std::int64_t counted, const std::string& words) {
        floor_ = nats / static_cast<double>(counted);
        floor_words_ = words + " / " + count(counted);
    };
    const auto letters = [&](std::string_view text) {
        for (const char each : text) tokens_.emplace_back(1, each);
    };
    switch (settings_.kind) {
        case TaskKind::copy:
        case TaskKind::reverse:
        case TaskKind::sort:
            letters("abcdefghijklmnopqrstuvwxyz>.");
            line_length_ = 2 * n + 2;
            put(static_cast<double>(n - 1) * std::log(26.0), line_length_ - 1, count(n - 1) + " · ln 26");
            break;
        case TaskKind::add:
            letters("0123456789+>.");
            line_length_ = 2 * n + 2 + n + 2;
            put(static_cast<double>(2 * n - 1) * std::log(10.0), line_length_ - 1, count(2 * n - 1) + " · ln 10");
            break;
        case TaskKind::modular:
            for (std::int64_t i = 0; i < settings_.modulus; ++i) tokens_.push_back(count(i));
            letters("+>");
            line_length_ = 5;
            put(std::log(static_cast<double>(settings_.modulus)), 4, "ln " + count(settings_.modulus));
            break;
        case TaskKind::induction: {
            letters("abcdefghijklmnopqrstuvwxyz");
            line_length_ = n + 2;
            double nats = std::log(static_cast<double>(n - 1));
            for (std::int64_t i = 1; i < n; ++i) nats += std::log(static_cast<double>(letter_count - i));
            put(nats, line_length_ - 1, "(ln(25! / " + count(letter_count - n) + "!) + ln " + count(n - 1) + ")");
            break;
        }
        case TaskKind::brackets: {
            letters("([)]>.");
            line_length_ = 2 * n + 2;
            // Where nothing is open one of two is opened; else half of the time one is closed.
            std::vector<double> depths(static_cast<std::size_t>(n) + 2, 0.0);
            depths[0] = 1;
            double nats = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                if (i > 0) nats += std::log(2.0) * (depths[0] + 1.5 * (1 - depths[0]));
                std::vector<double> next(depths.size(), 0.0);
                next[1] = depths[0];
                for (std::size_t depth = 1; depth + 1 < depths.size(); ++depth) {
                    next[depth + 1] += depths[depth] / 2;
                    next[depth - 1] += depths[depth] / 2;
                }
                depths = next;
            }
            put(nats, line_length_ - 1, decimal_text(nats / std::log(2.0), 3) + " · ln 2");
            break;
        }
        case TaskKind::masked:
            for (const auto& words :
                 {std::span<const std::string_view>(animals), std::span<const std::string_view>(doings),
                  std::span<const std::string_view>(manners)})
                tokens_.insert(tokens_.end(), words.begin(), words.end());
            letters(".");
            line_length_ = (words_in_sentence + 1) * n;
            put(std::log(static_cast<double>(manners.size())), words_in_sentence, "ln " + count(manners.size()));
            break;
        case TaskKind::text: break;
    }
}

TaskLine Task::line(std::uint64_t seed, std::uint64_t number, bool held_out) const {
    const std::int64_t n = settings_.letters;
    const auto id = [&](char letter) {
        const auto found = std::ranges::find(tokens_, std::string(1, letter));
        return static_cast<std::int32_t>(found - tokens_.begin());
    };
    if (settings_.kind == TaskKind::text) {
        Draws draws(seed, number, 0, held_out);
        const std::int64_t from = window(held_out, draws.below(windows(held_out)));
        TaskLine line{.ids = {text_.begin() + from, text_.begin() + from + line_length_}, .answer = 1};
        // Every seventh token, from another one on in each line.
        for (std::size_t place = 0; place < line.ids.size(); ++place)
            if ((place + static_cast<std::size_t>(line.ids.front())) % 7 == 3) line.hidden.push_back(place);
        return line;
    }
    Made made;
    // Of a task with very few lines all may be of one kind.
    constexpr std::uint64_t most_attempts = 1000;
    for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
        Draws draws(seed, number, attempt, held_out);
        made = {};
        switch (settings_.kind) {
            case TaskKind::copy:
            case TaskKind::reverse:
            case TaskKind::sort:
                for (std::int64_t i = 0; i < n; ++i) made.question.push_back(draws.below(letter_count));
                made.answer = made.question;
                if (settings_.kind == TaskKind::reverse) std::ranges::reverse(made.answer);
                if (settings_.kind == TaskKind::sort) std::ranges::sort(made.answer);
                made.question.push_back(id('>'));
                made.answer.push_back(id('.'));
                break;
            case TaskKind::add: {
                const std::int64_t end = power_of_ten(n), a = draws.below(end), b = draws.below(end);
                put_number(made.question, a, n);
                made.question.push_back(id('+'));
                put_number(made.question, b, n);
                made.question.push_back(id('>'));
                put_number(made.answer, a + b, n + 1);
                made.answer.push_back(id('.'));
                break;
            }
            case TaskKind::modular: {
                const std::int32_t a = draws.below(settings_.modulus), b = draws.below(settings_.modulus);
                const auto modulus = static_cast<std::int32_t>(settings_.modulus);
                made = {{a, modulus, b, modulus + 1}, {(a + b) % modulus}};
                break;
            }
            case TaskKind::induction: made = induction(draws, n); break;
            case TaskKind::brackets:
                made = brackets(draws, n, id('.'));
                made.question.push_back(id('>'));
                break;
            case TaskKind::masked: made = sentences(draws, n); break;
            case TaskKind::text: break;
        }
        if (is_held_out(made.question) == held_out) break;
    }
    TaskLine line{.ids = std::move(made.question), .answer = 0, .hidden = std::move(made.hidden)};
    line.answer = line.ids.size();
    line.ids.insert(line.ids.end(), made.answer.begin(), made.answer.end());
    for (std::size_t place = line.answer; place < line.ids.size(); ++place) line.hidden.push_back(place);
    return line;
}

std::string Task::text(const std::int32_t* ids, std::size_t count) const {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        const auto id = static_cast<std::size_t>(ids[i]);
        text += id < tokens_.size() ? tokens_[id] : asks_within() ? " _" : "_";
    }
    return text;
}

}  // namespace headcount
