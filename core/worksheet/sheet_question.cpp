// Fills one question in for a model: by its kind, what is right and what is shown.
#include "core/worksheet/sheet_question.hpp"

#include <algorithm>
#include <tuple>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/worksheet/new_numbers.hpp"

namespace headcount {
namespace {

// Fills in one question's texts and answers.
class Filler {
  public:
    Filler(const Question& question, CountedModelPtr model, std::span<const Preset> presets, QuestionSeeds seeds)
        : from_(question),
          model_(std::move(model)),
          presets_(presets),
          seeds_(seeds),
          choices_(drawn_order(question.choices.size(), seeds.choices)) {}

    Result<SheetQuestion> fill() {
        SheetQuestion made;
        made.id = from_.id;
        made.kind = from_.kind;
        made.model = model_;
        made.lines = from_.lines;
        if (auto wrong = fill_words(made)) return *wrong;
        std::vector<std::size_t> places;
        if (from_.kind == QuestionKind::order) {
            places = shuffled(from_.steps.size(), seeds_.steps);
            for (std::size_t place : places)
                if (auto wrong = words(from_.steps[place], "steps", made.steps.emplace_back())) return *wrong;
        }
        for (std::size_t i = 0; i < from_.parts.size(); ++i) {
            const QuestionPart& part = from_.parts[i];
            Blank blank{part.id.empty() ? from_.id : from_.id + "." + part.id, {}, TextAnswer{}, {}};
            const std::string path = part.id.empty() ? "" : "parts[" + std::to_string(i) + "]";
            if (auto wrong = words(part.label, path + ".label", blank.label)) return *wrong;
            if (auto wrong = words(part.hint, path + ".hint", blank.hint)) return *wrong;
            Result<KnownAnswer> answer = known(part, places);
            if (!answer) return within(path.empty() ? "answer" : path + ".answer", answer.error());
            blank.answer = std::move(*answer);
            made.blanks.push_back(std::move(blank));
        }
        return made;
    }

  private:
    std::optional<Error> words(const std::string& text, const std::string& path, std::string& into) const {
        Result<std::string> filled = filled_text(text, *model_, presets_);
        if (!filled) return within(path, filled.error());
        into = std::move(*filled);
        return std::nullopt;
    }

    std::optional<Error> fill_words(SheetQuestion& made) const {
        for (auto [text, path, into] : {std::tuple(&from_.title, "title", &made.title),
                                        {&from_.ask, "ask", &made.ask},
                                        {&from_.hint, "hint", &made.hint},
                                        {&from_.why, "why", &made.why}})
            if (auto wrong = words(*text, path, *into)) return wrong;
        for (const std::size_t place : choices_) {
            const Choice& choice = from_.choices[place];
            made.choices.emplace_back();
            if (auto wrong = words(choice.text, "choices", made.choices.back().text)) return wrong;
            if (auto wrong = words(choice.why, "choices", made.choices.back().why)) return wrong;
            for (std::size_t i = 0; i + 1 < made.choices.size(); ++i)
                if (made.choices[i].text == made.choices.back().text)
                    return Error{"two choices are the same with these numbers: " + quote(made.choices[i].text),
                                 "choices", "tell them apart"};
        }
        return std::nullopt;
    }

    Result<KnownAnswer> known(const QuestionPart& part, const std::vector<std::size_t>& places) const {
        switch (from_.kind) {
            case QuestionKind::shape:
                return shape(part);
            case QuestionKind::count:
            case QuestionKind::formula: {
                Result<Resolved> value = resolve(part.answer, *model_, presets_);
                if (!value) return value.error();
                return KnownAnswer(NumberAnswer{std::move(*value), from_.kind == QuestionKind::formula, from_.round});
            }
            case QuestionKind::choice: {
                const auto right = std::find_if(choices_.begin(), choices_.end(), [&](std::size_t place) {
                    return from_.choices[place].text == part.answer;
                });
                return KnownAnswer(ChoiceAnswer{static_cast<std::size_t>(right - choices_.begin())});
            }
            case QuestionKind::order: {
                OrderAnswer order{std::vector<std::size_t>(places.size())};
                for (std::size_t shown = 0; shown < places.size(); ++shown) order.right[places[shown]] = shown;
                return KnownAnswer(std::move(order));
            }
            case QuestionKind::select:
                return select(part);
            case QuestionKind::text: {
                Result<std::string> text = filled_text(part.answer, *model_, presets_);
                if (!text) return text.error();
                return KnownAnswer(TextAnswer{std::move(*text)});
            }
        }
        return Error{"this kind of question is not known", "kind", ""};
    }

    Result<KnownAnswer> shape(const QuestionPart& part) const {
        if (const std::size_t cross = part.answer.find(" x "); cross != std::string::npos) {
            const Result<Resolved> rows = resolve(part.answer.substr(0, cross), *model_, presets_);
            if (!rows) return rows.error();
            const Result<Resolved> columns = resolve(part.answer.substr(cross + 3), *model_, presets_);
            if (!columns) return columns.error();
            return KnownAnswer(ShapeAnswer{rows->value, columns->value, {}});
        }
        const Result<Resolved> value = resolve(part.answer, *model_, presets_);
        if (!value) return value.error();
        return KnownAnswer(ShapeAnswer{value->value, *value->columns, value->ids.front()});
    }

    Result<KnownAnswer> select(const QuestionPart& part) const {
        SelectAnswer answer{{part.answer}};
        answer.ids.insert(answer.ids.end(), part.also.begin(), part.also.end());
        for (const std::string& id : answer.ids) {
            if (model_->graph.find(id) || (!id.empty() && model_->graph.find_block(id))) continue;
            return Error{model_->architecture.name + " has no " + quote(id), "",
                         did_you_mean(id, model_->graph.tensor_ids(), "\"headcount shapes\" lists the ids")};
        }
        return KnownAnswer(std::move(answer));
    }

    const Question& from_;
    CountedModelPtr model_;
    std::span<const Preset> presets_;
    QuestionSeeds seeds_;
    std::vector<std::size_t> choices_;  // as shown: places in the file
};

}  // namespace

Result<SheetQuestion> fill_question(const Question& question, CountedModelPtr model, std::span<const Preset> presets,
                                    QuestionSeeds seeds) {
    return Filler(question, std::move(model), presets, seeds).fill();
}

}  // namespace headcount
