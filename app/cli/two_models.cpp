// Reads two models, and works out by what they differ.
#include "app/cli/two_models.hpp"

#include <array>

#include "app/cli/idle_words.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/links.hpp"
#include "core/base/text.hpp"
#include "core/files/documents.hpp"
#include "core/files/measured.hpp"
#include "core/link/link_text.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

// Which of the two it is said of.
void append(Notes& notes, const char* side, const Notes& more) {
    for (const std::string& note : more) notes.push_back(side + note);
}

}  // namespace

Result<SweepPoint> figures_of(const CountedDocument& side) {
    if (Failure wrong = wrong_context(side.pass.sharding, side.document.architecture, side.document.input))
        return *std::move(wrong);
    std::shared_ptr<const Reached> reached;
    if (side.pass.device) {
        Result<std::shared_ptr<const Reached>> all = reached_by_all();
        if (!all) return all.error();
        reached = *std::move(all);
    }
    return PointMaker(side.document.input, wants_for_all(side.pass, reached)).at(side.document.architecture);
}

void note_room(CountedDocument& side, const SweepPoint& figures, Notes& said) {
    if (figures.fits != false) return;
    said.push_back(
        "It does not fit: " + (figures.memory ? "it takes " + bytes_text(*figures.memory) + ", and " : std::string()) +
        side.pass.device->name + " has room for " + bytes_text(side.pass.serving.usable(*side.pass.device)) + ".");
    side.notes.push_back(said.back());
}

void add_two_models(CLI::App* command, TwoArguments& arguments, const char* a, const char* b) {
    command->add_option(a, arguments.a, "a model, named as ARCH is")->required()->type_name("ARCH");
    command->add_option(b, arguments.b, std::string("another; the differences are ") + b + " less " + a)
        ->required()
        ->type_name("ARCH");
    add_set(command, arguments.set);
    add_input(command, arguments.input);
    add_adapters(command, arguments.adapter);
}

namespace {

// What a link says of its input, for the model beside it: what the words say goes before.
InputArguments input_of(const OpenedDocument& linked, InputArguments words) {
    const Input& input = linked.document.input;
    const Sharding& sharding = linked.costs.sharding;
    for (const auto& [word, number] : {std::pair(&words.tokens, input.tokens),
                                       {&words.batch, input.batch},
                                       {&words.cached, input.cached},
                                       {&words.devices, sharding.devices},
                                       {&words.tensor, sharding.tensor},
                                       {&words.pipeline, sharding.pipeline},
                                       {&words.context, sharding.context},
                                       {&words.expert, sharding.expert}})
        if (!*word) *word = number;
    if (!words.link && linked.pass.link) words.link = linked.costs.link;
    if (!words.precision) words.precision = formats_text(input.precision);
    if (!words.cache && input.cache) words.cache = precision_text(*input.cache);
    if (!words.device && linked.pass.device) words.device = linked.costs.device;
    if (!words.phase) words.phase = linked.costs.phase;
    words.full = words.full || linked.costs.full;
    if (!words.adapters) words.adapters = linked.costs.adapters;
    return words;
}

}  // namespace

Result<TwoModels> read_two_models(const TwoArguments& arguments, Notes& said) {
    Notes said_of_a, said_of_b;
    Result<InputArguments> own = with_adapters(arguments.adapter, arguments.input);
    if (!own) return own.error();
    own->several = true;
    Result<CountedDocument> a = count_document({arguments.a, {}}, said_of_a, *own);
    if (!a) return within("A", a.error());
    const bool as_linked = is_link(arguments.a) && !is_link(arguments.b);
    Result<CountedDocument> b =
        count_document({arguments.b, arguments.set}, said_of_b, as_linked ? input_of(*a, *own) : *own);
    if (!b) return within("B", b.error());
    if (Failure idle = idle_in_all(std::array<const OpenedDocument*, 2>{&*a, &*b})) return *std::move(idle);
    note_speed(*a, said_of_a);
    note_speed(*b, said_of_b);
    Result<Difference> found = difference(a->model, b->model);
    if (!found) return found.error();
    Result<SweepPoint> in_a = figures_of(*a), in_b = figures_of(*b);
    if (!in_a) return within("A", in_a.error());
    if (!in_b) return within("B", in_b.error());
    note_room(*a, *in_a, said_of_a);
    note_room(*b, *in_b, said_of_b);
    append(said, "A: ", said_of_a);
    append(said, "B: ", said_of_b);
    Notes notes;
    append(notes, "A: ", a->notes);
    append(notes, "B: ", b->notes);
    return TwoModels{.a = *std::move(a),
                     .b = *std::move(b),
                     .difference = *std::move(found),
                     .in_a = *std::move(in_a),
                     .in_b = *std::move(in_b),
                     .notes = std::move(notes)};
}

void write_figures(std::ostream& out, const Table& table, const TwoModels& both) {
    write_text(out, marked(table, doubt_sign(both.a.doubt), doubt_sign(both.b.doubt)));
}

std::string pass_words(std::span<const OpenedDocument* const> models) {
    const std::string first = pass_words(*models.front());
    std::string all = first;
    for (std::size_t i = 1; i < models.size(); ++i)
        if (const std::string own = pass_words(*models[i]); own != first)
            all += "; " + (models.size() > 2 ? title_of(models[i]->document) : std::string("B")) + " with " + own;
    return all;
}

std::string pass_words(const TwoModels& both) {
    return pass_words(std::array<const OpenedDocument*, 2>{&both.a, &both.b});
}

}  // namespace headcount
