// Runs copies of the model with mistakes in them, and writes some of their numbers down.
#include "core/experiment/plant.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/diagnose/mutation.hpp"
#include "core/diagnose/places.hpp"
#include "core/diagnose/trial.hpp"
#include "core/experiment/shipped.hpp"
#include "core/graph/ops.hpp"

namespace headcount {
namespace {

constexpr double same_numbers = 5e-5;  // of their size: what sums of float32 in another order leave

// What one run makes: the numbers that are shown, and all.
struct Made {
    std::vector<float> shown, logits;
};

class Planter {
  public:
    Planter(const PlantedMistake& planted, const Shipped& shipped)
        : planted_(planted), shipped_(shipped), all_(mutations_of(*shipped_.model)) {}

    Result<Planted> plant(std::string_view mistake, std::span<const std::string> names) {
        Result<std::vector<std::int32_t>> ids = shipped_.tokenizer.encode(planted_.prompt);
        if (!ids) return within("planted.prompt", ids.error());
        ids_ = *std::move(ids);
        if (ids_.empty() || std::ssize(ids_) > most_planted_tokens)
            return Error{"the prompt has " + grouped(std::ssize(ids_)) + " tokens, and 1 to " +
                             grouped(most_planted_tokens) + " can be shown",
                         "planted.prompt", "give another one"};
        const Result<Run> right = run_kept(shipped_.model, ids_, {});
        if (!right) return right.error();
        if (std::optional<Error> error = find_place(*right)) return *std::move(error);
        const Result<Made> theirs = made_with(mistake);
        if (!theirs) return theirs.error();
        Planted made{.theirs = table(theirs->shown),
                     .own = table(shown_of(*right, place_.tensor)),
                     .of = shipped_.model->graph.tensors[place_.tensor].id,
                     .name = name(),
                     .choices = {}};
        for (const std::string& name : names) {
            const Result<Made> other = name == mistake ? theirs : made_with(name);
            if (!other) return other.error();
            PlantedChoice& choice = made.choices.emplace_back(PlantedChoice{.says = find(name)->says});
            const bool shown = apart(other->shown, theirs->shown) <= same_numbers;
            choice.same = shown && apart(other->logits, theirs->logits) <= same_numbers;
            if (!choice.same) choice.looks = looks(other->shown, theirs->shown, shown);
        }
        return made;
    }

  private:
    const Mutation* find(std::string_view name) const { return find_in(all_, name, &Mutation::name); }

    std::optional<Error> find_place(const Run& right) {
        const std::vector<Site> places = places_of(right);
        const auto found = std::ranges::find(places, planted_.shows, &Site::name);
        if (found == places.end()) {
            std::vector<std::string_view> known;
            for (const Site& each : places) known.push_back(each.name);
            return Error{"the model that ships makes no " + quote(planted_.shows), "planted.shows",
                         did_you_mean(planted_.shows, known, "\"headcount shapes tiny-stories\" lists what there is")};
        }
        place_ = *found;
        if (planted_.head >= (place_.by_head ? place_.copies : 1))
            return Error{"there is no head " + std::to_string(planted_.head) + " of " + place_.name, "planted.head",
                         place_.by_head ? "give 0 to " + std::to_string(place_.copies - 1) : "leave it out"};
        logits_ = places.back();
        return std::nullopt;
    }

    std::string name() const {
        std::string words(shipped_.model->graph.tensors[place_.tensor].label);
        if (place_.in_layer) words += ", layer " + std::to_string(*place_.in_layer);
        return words + (place_.by_head ? ", head " + std::to_string(planted_.head) : "");
    }

    // Of the head that is shown.
    std::vector<float> shown_of(const Run& run, TensorIndex tensor) const {
        const std::vector<float> numbers = numbers_at(run, place_, tensor);
        const std::int64_t size = place_.rows * place_.columns, first = planted_.head * size;
        if (std::ssize(numbers) < first + size) return {};
        return {numbers.begin() + first, numbers.begin() + first + size};
    }

    Result<Made> made_with(std::string_view name) const {
        const Mutation* const mistake = find(name);
        if (!mistake) {
            std::vector<std::string_view> known;
            for (const Mutation& each : all_) known.push_back(each.name);
            return Error{"the model that ships cannot have the mistake " + quote(name), "",
                         did_you_mean(name, known, "give one that headcount diagnose names")};
        }
        Mutant mutant{.model = *shipped_.model, .tokens = std::ssize(ids_)};
        if (!mistake->make(mutant))
            return Error{"the mistake " + quote(name) + " cannot be made in the model that ships", "", "take another"};
        const auto changes = mutant.changes;
        const std::optional<TensorIndex> shown = standing_for(mutant, place_.tensor);
        const Result<Run> run = run_kept(std::make_shared<const Model>(std::move(mutant.model)), ids_, changes);
        if (!run) return run.error();
        Made made{shown ? shown_of(*run, *shown) : std::vector<float>{},
                  numbers_at(*run, logits_, run->model().graph.nodes.back().output)};
        if (made.shown.empty())
            return Error{"with the mistake " + quote(name) + " the model makes no " + place_.name, "",
                         "show another activation"};
        write_down(mutant, made.logits, logits_.columns);
        return made;
    }

    static double apart(const std::vector<float>& a, const std::vector<float>& b) {
        if (a.size() != b.size()) return 1;
        double off = 0, size = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            off += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
            size += std::pow(static_cast<double>(b[i]), 2);
        }
        return size > 0 ? std::sqrt(off / size) : off > 0 ? 1 : 0;
    }

    std::string token(std::int64_t row) const {
        std::string text = shipped_.tokenizer.piece(ids_[static_cast<std::size_t>(row)]);
        while (text.starts_with(' ')) text.erase(0, 1);
        return text;
    }
    // Whether each column is a token, too.
    bool of_pairs() const {
        const Node* const maker = shipped_.model->graph.producer(place_.tensor);
        return maker && info(maker->op).of_pairs;
    }
    std::int64_t columns() const { return std::min(place_.columns, most_planted_columns); }
    std::string number(const std::vector<float>& shown, std::int64_t row, std::int64_t column) const {
        return decimal_text(static_cast<double>(shown[static_cast<std::size_t>(row * place_.columns + column)]), 2);
    }

    PlantedTable table(const std::vector<float>& shown) const {
        PlantedTable made{{""}};
        for (std::int64_t column = 0; column < columns(); ++column)
            made.front().push_back(of_pairs() ? token(column) : std::to_string(column));
        for (std::int64_t row = 0; row < place_.rows; ++row) {
            std::vector<std::string>& line = made.emplace_back(std::vector{token(row)});
            for (std::int64_t column = 0; column < columns(); ++column) line.push_back(number(shown, row, column));
        }
        return made;
    }

    // By the row in which they differ most.
    std::string looks(const std::vector<float>& other, const std::vector<float>& theirs, bool same) const {
        if (same) return "With it these numbers would be the same, and what is made of them another.";
        std::int64_t farthest = 0;
        double largest = -1;
        for (std::int64_t row = 0; row < place_.rows; ++row) {
            double off = 0;
            for (std::int64_t column = 0; column < columns(); ++column) {
                const auto at = static_cast<std::size_t>(row * place_.columns + column);
                off = std::max(off, std::abs(static_cast<double>(other[at]) - static_cast<double>(theirs[at])));
            }
            if (off > largest) largest = off, farthest = row;
        }
        std::string numbers;
        for (std::int64_t column = 0; column < columns(); ++column)
            numbers += (column > 0 ? ", " : "") + number(other, farthest, column);
        return "With it the row of " + in_quotes(token(farthest)) + " would be " + numbers + ".";
    }

    const PlantedMistake& planted_;
    const Shipped& shipped_;
    const Mutations all_;
    std::vector<std::int32_t> ids_;
    Site place_, logits_;
};

}  // namespace

Result<Planted> plant(const PlantedMistake& planted, std::string_view mistake, std::span<const std::string> names) {
    const Result<Shipped>& shipped = shipped_model();
    if (!shipped) return shipped.error();
    return Planter(planted, *shipped).plant(mistake, names);
}

}  // namespace headcount
