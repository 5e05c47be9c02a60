// A worksheet worked out for one architecture and one seed.
#include "core/worksheet/sheet.hpp"

#include <tuple>

#include "core/arch/fields.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/experiment/plant.hpp"
#include "core/worksheet/new_numbers.hpp"

namespace headcount {
namespace {

constexpr std::string_view stands_in = "llama-2-7b";  // for a reader who has no architecture

// With other numbers it is not the model any more that its name says.
std::string name_of_changed(const Architecture& arch) {
    return std::string(changed_model) + "d = " + std::to_string(arch.dim);
}

Result<Architecture> chosen(const ModelChoice& choice, std::span<const Preset> presets, const Architecture* own) {
    if (choice.own && own) return *own;
    const std::string id = choice.own ? std::string(stands_in) : choice.preset;
    const Result<const Preset*> preset = preset_named(presets, id, "architecture");
    if (!preset) return preset.error();
    Architecture arch = (*preset)->architecture;
    for (const auto& [key, text] : choice.set) {
        Result<Architecture> changed = with_field(std::move(arch), key, text);
        if (!changed) return within("architecture.set." + key, changed.error());
        arch = std::move(*changed);
    }
    if (!choice.set.empty()) arch.name = name_of_changed(arch);
    return arch;
}

// The models of a sheet: questions that ask about the same one share it.
struct Models {
    const Worksheet& worksheet;
    std::span<const Preset> presets;
    std::optional<std::uint64_t> seed;
    const Architecture* own;
    std::vector<std::pair<std::pair<ModelChoice, Input>, CountedModelPtr>> made = {};

    Result<CountedModelPtr> of(const ModelChoice& choice, const Input& input) {
        for (const auto& [asked, model] : made)
            if (asked == std::pair(choice, input)) return model;
        Result<Architecture> arch = chosen(choice, presets, own);
        if (!arch) return arch.error();
        Input used = input;
        if (seed && !(worksheet.new_numbers && worksheet.new_numbers->empty())) {
            std::tie(*arch, used) = with_new_numbers(*arch, input, worksheet.new_numbers, *seed);
            arch->name = name_of_changed(*arch);
        }
        Result<CountedModelPtr> model = counted_model(*arch, used);
        if (!model) return within("architecture", model.error());
        made.emplace_back(std::pair(choice, input), *model);
        return model;
    }
};

// What a question's choices are mixed by: it stays as it is wherever the question stands in its sheet.
std::uint64_t seed_of_choices(std::string_view worksheet, std::string_view question, std::uint64_t seed) {
    std::uint64_t mixed = 0xcbf29ce484222325;  // FNV-1a
    for (const std::string_view part : {worksheet, std::string_view("/"), question})
        for (const char c : part) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mixed + seed;
}

// What a question's steps and its choices are mixed by.
struct QuestionSeeds {
    std::uint64_t steps, choices;
};

// Fills in one question's texts and answers.
struct Filler {
    const Question& from;
    CountedModelPtr model;
    std::span<const Preset> presets;
    QuestionSeeds seeds;
    std::vector<std::size_t> choices = drawn_order(from.choices.size(), seeds.choices);  // as shown: places in the file
    std::vector<std::size_t> same = {};  // of mistakes the others that make the numbers that are shown, too

    Result<SheetQuestion> fill() {
        SheetQuestion made;
        made.id = from.id;
        made.kind = from.kind;
        made.model = model;
        made.lines = from.lines;
        made.at = from.at;
        if (!has(from.at) && !from.at.empty()) return within("at", lacks(from.at));
        if (auto wrong = fill_words(made)) return *wrong;
        if (from.planted)
            if (auto wrong = fill_planted(made)) return *wrong;
        std::vector<std::size_t> places;
        if (from.kind == QuestionKind::order) {
            places = shuffled(from.steps.size(), seeds.steps);
            for (std::size_t place : places)
                if (auto wrong = words(from.steps[place], "steps", made.steps.emplace_back())) return *wrong;
        }
        for (std::size_t i = 0; i < from.parts.size(); ++i) {
            const QuestionPart& part = from.parts[i];
            Blank blank{part.id.empty() ? from.id : from.id + "." + part.id, {}, TextAnswer{}, {}};
            const std::string path = part.id.empty() ? "" : "parts[" + std::to_string(i) + "]";
            if (auto wrong = words(part.label, path + ".label", blank.label)) return *wrong;
            if (auto wrong = words(part.hint, path + ".hint", blank.hint)) return *wrong;
            Result<KnownAnswer> answer = known(part, places);
            if (!answer) return within(path.empty() ? "answer" : path + ".answer", answer.error());
            blank.answer = std::move(*answer);
            made.blanks.push_back(std::move(blank));
        }
        if (asks_every_digit(made)) made.ask += " Give every digit, or a product.";
        return made;
    }

    // Whether a number is asked for that people would round, and it may not be.
    bool asks_every_digit(const SheetQuestion& made) const {
        constexpr std::int64_t people_round = 100'000;
        return from.kind == QuestionKind::count && from.round == 0 &&
               std::ranges::any_of(made.blanks, [&](const Blank& blank) {
                   const auto* const number = std::get_if<NumberAnswer>(&blank.answer);
                   if (!number || number->formula) return false;
                   const Result<std::int64_t> value = evaluate(number->resolved.value, model->bindings);
                   return value && *value >= people_round;
               });
    }

    // The numbers of the model with the mistake in it, and what each of the others would have made of them. It is a
    // choice from here on.
    std::optional<Error> fill_planted(SheetQuestion& made) {
        for (const std::size_t place : choices) made.names.push_back(from.choices[place].text);
        const std::string& mistake = from.parts.front().answer;
        Result<Planted> planted = plant(*from.planted, mistake, made.names);
        if (!planted) return planted.error();
        made.kind = QuestionKind::choice;
        if (made.at.empty() && has(planted->of)) made.at = planted->of;
        if (from.planted->beside) made.tables.push_back({planted->name + ", as it should be", std::move(planted->own)});
        made.tables.push_back({planted->name + ", with the mistake", std::move(planted->theirs)});
        for (std::size_t i = 0; i < made.choices.size(); ++i) {
            const PlantedChoice& choice = planted->choices[i];
            made.choices[i].text = choice.says;
            std::string& why = made.choices[i].why;
            if (!choice.looks.empty()) why += (why.empty() ? "" : " ") + choice.looks;
            if (choice.same && from.choices[choices[i]].text != mistake) same.push_back(i);
        }
        return std::nullopt;
    }

    std::optional<Error> words(const std::string& text, const std::string& path, std::string& into) const {
        Result<std::string> filled = filled_text(text, *model, presets);
        if (!filled) return within(path, filled.error());
        into = std::move(*filled);
        return std::nullopt;
    }

    std::optional<Error> fill_words(SheetQuestion& made) const {
        for (auto [text, path, into] : {std::tuple(&from.title, "title", &made.title),
                                        {&from.ask, "ask", &made.ask},
                                        {&from.hint, "hint", &made.hint},
                                        {&from.why, "why", &made.why}})
            if (auto wrong = words(*text, path, *into)) return wrong;
        for (const std::size_t place : choices) {
            const Choice& choice = from.choices[place];
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
        switch (from.kind) {
            case QuestionKind::shape: return shape(part);
            case QuestionKind::count:
            case QuestionKind::formula: {
                Result<Resolved> value = resolve(part.answer, *model, presets);
                if (!value) return value.error();
                return KnownAnswer(NumberAnswer{std::move(*value), from.kind == QuestionKind::formula, from.round});
            }
            case QuestionKind::mistake:
            case QuestionKind::choice: {
                const auto right = std::ranges::find_if(
                    choices, [&](std::size_t place) { return from.choices[place].text == part.answer; });
                return KnownAnswer(ChoiceAnswer{static_cast<std::size_t>(right - choices.begin()), same});
            }
            case QuestionKind::order: {
                OrderAnswer order{std::vector<std::size_t>(places.size())};
                for (std::size_t shown = 0; shown < places.size(); ++shown) order.right[places[shown]] = shown;
                return KnownAnswer(std::move(order));
            }
            case QuestionKind::select: return select(part);
            case QuestionKind::experiment: return KnownAnswer(ExperimentAnswer{*from.experiment, part.answer});
            case QuestionKind::text: {
                Result<std::string> text = filled_text(part.answer, *model, presets);
                if (!text) return text.error();
                return KnownAnswer(TextAnswer{std::move(*text)});
            }
        }
        return Error{"this kind of question is not known", "kind", ""};
    }

    Result<KnownAnswer> shape(const QuestionPart& part) const {
        if (const std::size_t cross = part.answer.find(" x "); cross != std::string::npos) {
            const Result<Resolved> rows = resolve(part.answer.substr(0, cross), *model, presets);
            if (!rows) return rows.error();
            const Result<Resolved> columns = resolve(part.answer.substr(cross + 3), *model, presets);
            if (!columns) return columns.error();
            return KnownAnswer(ShapeAnswer{rows->value, columns->value, {}});
        }
        const Result<Resolved> value = resolve(part.answer, *model, presets);
        if (!value) return value.error();
        return KnownAnswer(ShapeAnswer{value->value, *value->columns, value->ids.front()});
    }

    Result<KnownAnswer> select(const QuestionPart& part) const {
        SelectAnswer answer{{part.answer}};
        answer.ids.insert(answer.ids.end(), part.also.begin(), part.also.end());
        for (const std::string& id : answer.ids)
            if (!has(id)) return lacks(id);
        return KnownAnswer(std::move(answer));
    }

    bool has(const std::string& id) const {
        return model->graph.find(id) || (!id.empty() && model->graph.find_block(id));
    }

    Error lacks(const std::string& id) const {
        return {model->architecture.name + " has no " + quote(id), "",
                did_you_mean(id, model->graph.tensor_ids(), "\"headcount shapes\" lists the ids")};
    }
};

// The error with the JSON path of its question before its own.
Error placed(const std::string& path, Error error) {
    error.where = path + (error.where.empty() ? "" : "." + error.where);
    return error;
}

}  // namespace

const Blank* Sheet::find(std::string_view blank) const {
    for (const SheetQuestion& question : questions)
        for (const Blank& each : question.blanks)
            if (each.id == blank) return &each;
    return nullptr;
}

Result<Sheet> make_sheet(const Worksheet& worksheet, std::span<const Preset> presets, std::optional<std::uint64_t> seed,
                         const Architecture* own) {
    Sheet sheet{worksheet.id, {}, {}, worksheet.minutes, worksheet.key_word, seed, nullptr, {}, {}};
    Models models{.worksheet = worksheet, .presets = presets, .seed = seed, .own = own};
    const Result<CountedModelPtr> model = models.of(worksheet.model, worksheet.input);
    if (!model) return model.error();
    sheet.model = *model;
    for (auto [text, path, into] :
         {std::tuple(&worksheet.title, "title", &sheet.title), {&worksheet.about, "about", &sheet.about}}) {
        Result<std::string> filled = filled_text(*text, **model, presets);
        if (!filled) return within(path, filled.error());
        *into = std::move(*filled);
    }
    for (std::size_t i = 0; i < worksheet.questions.size(); ++i) {
        const Question& question = worksheet.questions[i];
        const std::string path = "questions[" + std::to_string(i) + "]";
        const ModelChoice& choice = question.model ? *question.model : worksheet.model;
        const Result<CountedModelPtr> asked = models.of(choice, question.input.value_or(worksheet.input));
        if (!asked) return placed(path, asked.error());
        const QuestionSeeds seeds{seed.value_or(0) * 1000 + i + 1,
                                  seed_of_choices(worksheet.id, question.id, seed.value_or(0))};
        Result<SheetQuestion> made =
            Filler{.from = question, .model = *asked, .presets = presets, .seeds = seeds}.fill();
        if (made)
            sheet.questions.push_back(std::move(*made));
        else if (choice.own)
            sheet.notes.push_back(quote(question.id) + " is left out: " + made.error().what);
        else
            return placed(path, made.error());
    }
    if (sheet.questions.empty())
        return Error{"no question can be asked about " + (*model)->architecture.name, "questions",
                     "choose another architecture"};
    return sheet;
}

}  // namespace headcount
