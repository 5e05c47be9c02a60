// headcount link: a state of the program as a link, which opens it again.
#include <ostream>

#include "app/cli/render_arguments.hpp"
#include "app/state/view.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/presets.hpp"
#include "core/link/qr.hpp"
#include "core/runtime/changes.hpp"

namespace headcount {
namespace {

struct LinkArguments {
    RenderArguments seen;
    std::optional<ThemeChoice> theme;
    std::optional<std::string> prompt;
    std::vector<std::string> off;
    std::vector<LinkEntry> say;
    std::string base;
    bool qr = false;
};

Result<LinkEntry> read_entry(const std::string& text, std::string_view flag) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) return LinkEntry{text.substr(0, equals), text.substr(equals + 1)};
    return Error{quote(text) + " says nothing", std::string(flag), "write it as KEY=VALUE, such as run.top_k=1"};
}

Result<std::string> read_off(const std::string& text, std::string_view flag) {
    const Result<Change> change = parse_change(Change::Kind::off, text);
    if (!change) return within(std::string(flag), change.error());
    return text;
}

Failure no_address() {
    return Error{"a telephone can open nothing without the address of a page", "--qr",
                 "give --base URL, where Headcount lies on the web"};
}

void describe_link(CLI::App* command, LinkArguments& arguments, std::span<const std::string_view> views) {
    describe_seen(command, arguments.seen, views);
    add_choice(command, "--theme", arguments.theme, "colours, where they are to be these", theme_keys);
    add_name(command, "--prompt", arguments.prompt, "TEXT", "in the Run view, what the model goes on from");
    add_values(command, "--off", arguments.off, "PLACE",
               "in the Run view, a part that is switched off, such as layer.1.attention.head:3; may be repeated",
               read_off);
    add_values(command, "--say", arguments.say, "KEY=VALUE",
               "whatever else a link can say, such as run.top_k=1; may be repeated", read_entry);
    add_base(command, arguments.base, "the address of the page, which stands before it");
    command->add_flag("--qr", arguments.qr, "with a QR code, for this terminal");
    add_rule(command, [&arguments] {
        return arguments.qr && arguments.base.empty() ? no_address() : wrong_view(arguments.seen);
    });
}

// What the options say in a link's own words.
LinkEntries entries_of(const LinkArguments& arguments) {
    LinkEntries entries;
    if (arguments.prompt) entries.push_back({"prompt", *arguments.prompt});
    if (!arguments.off.empty()) {
        entries.push_back({"off", listed(arguments.off, std::identity(), ",")});
        entries.push_back({"run.beside", "1"});
        // Both runs at the head that is gone, where one is.
        const ChangePlace place = parse_change(Change::Kind::off, arguments.off.back())->place;
        if (place.head && place.layer != ChangePlace::outside)
            entries.insert(entries.end(),
                           {{"layer", std::to_string(place.layer)}, {"head", std::to_string(*place.head)}});
    }
    entries.insert(entries.end(), arguments.say.begin(), arguments.say.end());
    return entries;
}

Linked state_of(const RenderOptions& options, const RenderArguments& seen) {
    Linked state = options.link ? options.link->state : Linked{};
    View& view = state.view;
    state.document = options.document;
    view.costs = options.costs;
    view.workspace = options.view;
    view.what_if.tab = options.what_if;
    view.compare.tab = options.compare.value_or(view.compare.tab);
    view.theme = options.theme;
    state.select = seen.select.value_or(state.select);
    state.at = seen.at.value_or(state.at);
    if (state.at == "model") state.at.clear();
    state.tilted |= options.tilted;
    state.log_sides |= options.log_sides;
    view.show.presenting |= options.present;
    if (!options.tour.empty()) view.show.tour = options.tour, view.show.step = options.step;
    if (!options.claim.claim.empty()) view.claim = options.claim;
    if (!options.sheet.worksheet.empty()) state.sheet = {options.sheet.worksheet, std::nullopt, options.sheet.question};
    return state;
}

// What a link names is on the other side by its name alone.
Failure is_file(const std::optional<std::string>& name, const char* flag) {
    if (!name || (name->find('/') == std::string::npos && !name->ends_with(".json"))) return std::nullopt;
    return Error{"files are not in a link", std::string(flag) + " " + *name, "name one that ships"};
}

// Those that a link may name: of models as they ship their own alone, else all.
Result<std::vector<Preset>> presets_for(const Document& document) {
    const bool edited = document.architecture != document.base || !document.file.empty() || document.with;
    return edited ? shipped_presets() : presets_to_open(document.preset);
}

Failure print_link(const LinkArguments& arguments, Output& output) {
    for (const auto& [name, flag] : {std::pair(&arguments.seen.tour, "--tour"), {&arguments.seen.sheet, "--sheet"}})
        if (Failure failure = is_file(*name, flag)) return failure;
    Result<RenderOptions> options = render_options(arguments.seen, output.notes);
    if (!options) return options.error();
    options->theme = arguments.theme.value_or(options->theme);
    Linked state = state_of(*options, arguments.seen);
    for (const LinkEntry& entry : entries_of(arguments))
        if (const std::optional<Error> wrong = set_linked(state, entry)) return *wrong;
    const Result<std::vector<Preset>> presets = presets_for(state.document);
    if (!presets) return presets.error();
    const Result<WrittenLink> link = write_link(state, *presets);
    if (!link) return link.error();
    if (!state.document.file.empty())
        output.notes.emplace_back("The file is not in the link, nor are its weights: it says the model by a preset.");
    output.notes.insert(output.notes.end(), link->lost.begin(), link->lost.end());
    if (arguments.base.empty())
        output.notes.emplace_back(
            "In a shell it stands in quotes, as '#v=1&m=gpt2'; browsers open it with --base URL.");
    std::string whole = arguments.base + link->text;
    // What the program begins with is in no link, unless it was asked for.
    if (arguments.seen.input.device && state.view.costs.device == CostsPlace{}.device)
        whole += "&device=" + state.view.costs.device;
    if (arguments.qr) {
        const Result<QrCode> code = qr_code(whole);
        if (!code) return code.error();
        output.out << terminal_text(*code);
    }
    output.out << whole << '\n';
    return std::nullopt;
}

}  // namespace

Command link_command(std::span<const std::string_view> views) {
    const auto describe = [views](CLI::App* command, LinkArguments& arguments) {
        describe_link(command, arguments, views);
    };
    return make_command("link", "a link that opens this model, view and place again", describe, print_link);
}

}  // namespace headcount
