// A worksheet worked out for one architecture and one seed.
#include "core/worksheet/sheet.hpp"

#include <algorithm>
#include <numeric>

#include "core/arch/fields.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/worksheet/new_numbers.hpp"
#include "core/worksheet/sheet_question.hpp"

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
class Models {
  public:
    Models(const Worksheet& worksheet, std::span<const Preset> presets, std::optional<std::uint64_t> seed,
           const Architecture* own)
        : worksheet_(worksheet), presets_(presets), seed_(seed), own_(own) {}

    Result<CountedModelPtr> of(const ModelChoice& choice, const Input& input) {
        for (const auto& [asked, model] : made_)
            if (asked == std::pair(choice, input)) return model;
        Result<Architecture> arch = chosen(choice, presets_, own_);
        if (!arch) return arch.error();
        Input used = input;
        if (seed_ && !(worksheet_.new_numbers && worksheet_.new_numbers->empty())) {
            std::tie(*arch, used) = with_new_numbers(*arch, input, worksheet_.new_numbers, *seed_);
            arch->name = name_of_changed(*arch);
        }
        Result<CountedModelPtr> model = counted_model(*arch, used);
        if (!model) return within("architecture", model.error());
        made_.emplace_back(std::pair(choice, input), *model);
        return model;
    }

  private:
    const Worksheet& worksheet_;
    std::span<const Preset> presets_;
    std::optional<std::uint64_t> seed_;
    const Architecture* own_;
    std::vector<std::pair<std::pair<ModelChoice, Input>, CountedModelPtr>> made_;
};

// What a question's choices are mixed by: it stays as it is wherever the question stands in its sheet.
std::uint64_t seed_of_choices(std::string_view worksheet, std::string_view question, std::uint64_t seed) {
    std::uint64_t mixed = 0xcbf29ce484222325;  // FNV-1a
    for (const std::string_view part : {worksheet, std::string_view("/"), question})
        for (const char c : part) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mixed + seed;
}

// The error with the JSON path of its question before its own.
Error placed(const std::string& path, Error error) {
    error.where = path + (error.where.empty() ? "" : "." + error.where);
    return error;
}

std::string number_text(const Expr& expr, const CountedModel& model) {
    return std::to_string(*evaluate(expr, model.bindings));
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
    Sheet sheet{worksheet.id, {}, {}, worksheet.minutes, seed, nullptr, {}, {}};
    Models models(worksheet, presets, seed, own);
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
        Result<SheetQuestion> made = fill_question(
            question, *asked, presets,
            {seed.value_or(0) * 1000 + i + 1, seed_of_choices(worksheet.id, question.id, seed.value_or(0))});
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

std::string letter(std::size_t place) {
    return std::string(1, static_cast<char>('a' + place));
}

std::string order_text(const std::vector<std::size_t>& order) {
    std::string text;
    for (const std::size_t place : order) text += (text.empty() ? "" : ", ") + letter(place);
    return text;
}

std::vector<std::size_t> order_as_shown(std::size_t steps) {
    std::vector<std::size_t> order(steps);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

std::string right_answer(const SheetQuestion& question, const Blank& blank) {
    const CountedModel& model = *question.model;
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer))
        return number_text(shape->rows, model) + " × " + number_text(shape->columns, model);
    if (const auto* number = std::get_if<NumberAnswer>(&blank.answer)) {
        const std::int64_t value = *evaluate(number->resolved.value, model.bindings);
        if (number->formula) return in_symbols(number->resolved.value);
        if (number->resolved.bytes) return grouped(value) + " bytes (" + bytes_text(value) + ")";
        if (number->round == 3)
            return grouped(value) + " (" + short_count(value) + ")";  // short ones have three digits
        return grouped(value);
    }
    if (const auto* choice = std::get_if<ChoiceAnswer>(&blank.answer)) return letter(choice->right);
    if (const auto* order = std::get_if<OrderAnswer>(&blank.answer)) return order_text(order->right);
    if (const auto* select = std::get_if<SelectAnswer>(&blank.answer)) {
        const Tensor* const tensor = model.graph.find(select->ids.front());
        return tensor ? std::string(tensor->label) : select->ids.front();
    }
    return std::get<TextAnswer>(blank.answer).model;
}

}  // namespace headcount
