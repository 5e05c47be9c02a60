// From the words ARCH, --set, --tokens and the like to a model that is counted.
#include "app/cli/model.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"
#include "core/files/documents.hpp"
#include "core/files/notes.hpp"
#include "core/report/json.hpp"

namespace headcount {
namespace {

Result<Architecture> apply_set(Architecture arch, const std::string& change) {
    const std::size_t equals = change.find('=');
    Result<Architecture> changed = with_field(std::move(arch), change.substr(0, equals), change.substr(equals + 1));
    if (!changed) return within("--set", changed.error());
    return changed;
}

// What a problem's buttons do in the window, as words for the command line.
Error with_fixes(const Problem& problem) {
    Error error = problem.error;
    const char* before = ", for example ";
    for (const Fix& fix : problem.fixes) {
        error.fix += before + ("--set " + std::string(info(fix.field).key)) + "=" + fix.text;
        before = " or ";
    }
    return error;
}

// "layers": the field of the largest number in a formula; empty where there is none.
std::string largest_factor(const Architecture& arch, std::string_view formula) {
    const auto is_letter = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    formula.remove_prefix(std::min(formula.rfind(' ') + 1, formula.size()));  // behind the tensor's name
    std::string largest;
    std::int64_t most = 0;
    for (std::size_t start = 0; start < formula.size();) {
        std::size_t end = start;
        while (end < formula.size() && is_letter(formula[end])) ++end;
        for (const FieldInfo& field : fields()) {
            if (!field.symbol || info(*field.symbol).text != formula.substr(start, end - start)) continue;
            const std::int64_t number = field_number(arch, field.field).value_or(0);
            if (number <= most) continue;
            most = number;
            largest = field.key;
        }
        start = end + 1;
    }
    return largest;
}

}  // namespace

Error in_file(const Document& document, const ModelArguments& arguments, Error error) {
    if (document.file.empty()) return error;
    const std::string field = largest_factor(document.architecture, error.where);
    if (!field.empty()) error = within(field, std::move(error));
    return within(arguments.arch, std::move(error));
}

namespace {

// The architecture is valid; whether its numbers fit is not known yet.
Result<OpenedDocument> read_document(const ModelArguments& arguments, std::span<const Preset> presets, Notes& said) {
    Result<Opened> opened = open_architecture(or_shipped_model(arguments.arch), presets);
    if (!opened) return opened.error();
    Architecture arch = opened->architecture;
    for (const std::string& change : arguments.set) {
        Result<Architecture> changed = apply_set(std::move(arch), change);
        if (!changed) return changed.error();
        arch = std::move(*changed);
    }
    if (std::vector<Problem> problems = validate(arch); !problems.empty()) {
        const Error error = with_fixes(problems.front());
        return opened->preset ? error : within(arguments.arch, error);
    }
    Document document;
    // What the file leaves open, --set may have given: then that is what the document starts from.
    document.base = validate(opened->architecture).empty() ? opened->architecture : arch;
    document.input = first_input(arch);
    document.input.precision = opened->precision.value_or(document.input.precision);
    document.architecture = std::move(arch);
    if (opened->preset)
        document.preset = opened->preset->id;
    else
        document.file = absolute_path(or_shipped_model(arguments.arch));
    // A preset's note speaks of the preset; the question that a params.json leaves is answered by now.
    const bool edited = document.architecture != document.base;
    if (opened->preset && !opened->preset->note.empty() && !edited) opened->notes.push_back(opened->preset->note);
    std::erase(opened->notes, no_vocabulary_note);
    if (!opened->preset) said.insert(said.end(), opened->notes.begin(), opened->notes.end());
    const Architecture& read = opened->architecture;
    const bool unread =
        std::find(opened->notes.begin(), opened->notes.end(), note_on_unread(read)) != opened->notes.end();
    return OpenedDocument{std::move(document), opened->checkpoint, std::move(opened->notes),
                          read.family->verified && !unread, std::move(opened->read)};
}

// Among the presets that ship.
Result<OpenedDocument> read_document(const ModelArguments& arguments, Notes& said) {
    Result<std::vector<Preset>> presets = presets_to_open(or_shipped_model(arguments.arch));
    if (!presets) return presets.error();
    return read_document(arguments, *presets, said);
}

std::optional<Error> check_base(const Document& document, const ModelArguments& arguments) {
    if (Result<Counted> counted = count(document.base, Input{.tokens = 1}); !counted)
        return in_file(document, arguments, counted.error());
    return std::nullopt;
}

Result<OpenedDocument> with_counted_base(Result<OpenedDocument> opened, const ModelArguments& arguments) {
    if (!opened) return opened;
    if (std::optional<Error> failure = check_base(opened->document, arguments)) return *failure;
    return opened;
}

Result<OpenedModel> count_opened(const OpenedDocument& opened, const ModelArguments& arguments) {
    const Document& document = opened.document;
    // Without an edit it is what is counted anyway.
    if (document.base != document.architecture)
        if (std::optional<Error> failure = check_base(document, arguments)) return *failure;
    Result<CountedModel> model = count_model(document.architecture, document.input);
    if (!model) return in_file(document, arguments, model.error());
    return OpenedModel{std::move(*model), opened.checkpoint, opened.notes, opened.verified, opened.read};
}

}  // namespace

Result<OpenedDocument> open_document(const ModelArguments& arguments, std::span<const Preset> presets, Notes& said) {
    return with_counted_base(read_document(arguments, presets, said), arguments);
}

Result<OpenedDocument> open_document(const ModelArguments& arguments, Notes& said) {
    return with_counted_base(read_document(arguments, said), arguments);
}

Result<OpenedDocument> open_document(const ModelArguments& arguments, const InputArguments& input, Notes& said) {
    Result<OpenedDocument> opened = open_document(arguments, said);
    if (!opened) return opened;
    Result<Document> document = with_input(std::move(opened->document), input);
    if (!document) return document.error();
    opened->document = std::move(*document);
    return opened;
}

Result<Document> with_input(Document document, const InputArguments& arguments) {
    Input& input = document.input;
    input.tokens = arguments.tokens.value_or(input.tokens);
    input.batch = arguments.batch.value_or(input.batch);
    input.cached = arguments.cached.value_or(input.cached);
    input.precision = arguments.precision.value_or(input.precision);
    if (std::vector<Error> errors = validate(document.architecture, input); !errors.empty()) return errors.front();
    return document;
}

Result<CountedDocument> count_document(const ModelArguments& arguments, const InputArguments& input, Notes& said) {
    Result<OpenedDocument> opened = read_document(arguments, said);
    if (!opened) return opened.error();
    Result<Document> document = with_input(std::move(opened->document), input);
    if (!document) return document.error();
    opened->document = std::move(*document);
    Result<OpenedModel> model = count_opened(*opened, arguments);
    if (!model) return model.error();
    return CountedDocument{std::move(opened->document), std::move(*model)};
}

Result<OpenedModel> open_model(const ModelArguments& arguments, Notes& said) {
    Result<OpenedDocument> opened = read_document(arguments, said);
    if (!opened) return opened.error();
    Result<OpenedModel> model = count_opened(*opened, arguments);
    if (model) model->architecture.name = title_of(opened->document);
    return model;
}

std::string noted_json(nlohmann::ordered_json json, const Notes& notes) {
    json["notes"] = notes;
    return json_text(json);
}

}  // namespace headcount
