// headcount serve: the commands for programs that speak the Model Context Protocol.
#include "app/cli/serve.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sstream>
#include <variant>

#include "app/cli/command.hpp"
#include "app/cli/options.hpp"
#include "core/base/find.hpp"
#include "core/base/markup.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view drawing_tool = "render";
// Those that read and print, or draw, and neither leave files nor run for long.
constexpr std::array<std::string_view, 21> tools{
    "presets", "ask",      "count",  "tensors",  "tree",  "shapes", "equations",
    "compare", "diff",     "memory", "compute",  "sweep", "solve",  "sensitivity",
    "devices", "measured", "match",  "tokenize", "link",  "claims", drawing_tool};
constexpr std::array<std::string_view, 2> protocols{"2025-06-18", "2024-11-05"};  // the newest first
constexpr int deepest_message = 64;                                               // objects and lists within each other
constexpr std::size_t longest_message = 1 << 20;                                  // bytes

// The numbers of JSON-RPC 2.0, section 5.1.
enum class Fault { unreadable = -32700, no_request = -32600, no_method = -32601, wrong_parameters = -32602 };
struct Refusal {
    Fault fault;
    std::string what;
};

std::string name_of(const CommandRow& command) { return command.path.substr(command.path.find(' ') + 1); }

// "--kv-dtype", or of a place the name that it has.
const std::string& name_of(const OptionRow& row) {
    const auto word = std::ranges::find_if(row.names, [](const std::string& name) { return name.starts_with("--"); });
    return word == row.names.end() ? row.names.front() : *word;
}

// "--kv-dtype" and "ARCH" as names of JSON: "kv_dtype", "arch".
std::string key_of(const OptionRow& row) {
    std::string key;
    for (const char letter : name_of(row))
        if (letter != '-' || !key.empty()) key += letter == '-' ? '_' : lower(letter);
    return key;
}

// What a caller need not say, and what it may not: --json is always there, files are not written, and this machine is
// not measured.
bool is_argument(const OptionRow& row) {
    constexpr std::array<std::string_view, 6> kept{"--json", "--csv", "--format", "--frames", "--measure", "--threads"};
    return row.value != "FILE" && !contains(kept, name_of(row));
}

Json schema_of(const OptionRow& row) {
    if (row.value.empty()) return {{"type", "boolean"}, {"description", row.what}};
    const std::string what = row.what + (row.names.front().starts_with('-') ? " (" + row.value + ")" : "");
    if (row.repeated) return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", what}};
    return {{"type", Json::array({"string", "number"})}, {"description", what}};
}

std::vector<const OptionRow*> arguments_of(const CommandRow& command) {
    std::vector<const OptionRow*> all;
    for (const auto* rows : {&command.places, &command.options})
        for (const OptionRow& row : *rows)
            if (is_argument(row)) all.push_back(&row);
    return all;
}

Json tool_json(const CommandRow& command) {
    Json properties = Json::object(), required = Json::array();
    for (const OptionRow* row : arguments_of(command)) {
        properties[key_of(*row)] = schema_of(*row);
        if (row->required) required.push_back(key_of(*row));
    }
    return {{"name", name_of(command)},
            {"description", capitalized(command.what) + "."},
            {"inputSchema",
             {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}}}};
}

// A text or a number as it is typed; nothing of anything else.
std::optional<std::string> typed(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return value.dump();
    return std::nullopt;
}

class Server {
  public:
    Server(const std::vector<CommandRow>& table, const RunCommand& run) : run_(run) {
        for (const std::string_view name : tools)
            for (const CommandRow& command : table)
                if (name_of(command) == name) tools_.push_back(&command);
    }

    // Nothing to a notification.
    std::optional<Json> answer(const std::string& line) const {
        bool deep = false;
        const auto keeps = [&](int depth, Json::parse_event_t, const Json&) {
            deep = deep || depth > deepest_message;
            return !deep;
        };
        const Json message =
            line.size() > longest_message ? Json(Json::value_t::discarded) : Json::parse(line, keeps, false);
        if (deep || message.is_discarded())
            return refused(nullptr, {Fault::unreadable, "this line is no JSON, longer than 1 MiB or nested too deep"});
        const bool object = message.is_object();
        const Json id = object ? message.value("id", Json()) : Json();
        const bool named = id.is_string() || id.is_number();
        if (object && !message.contains("method") && (message.contains("result") || message.contains("error")))
            return std::nullopt;  // an answer, and nothing was asked
        const bool request = object && message.value("jsonrpc", Json()) == "2.0" && message.contains("method") &&
                             message["method"].is_string();
        if (!request || !(named || id.is_null()))
            return refused(named ? id : Json(), {Fault::no_request, "this is no request of JSON-RPC 2.0"});
        if (!message.contains("id")) return std::nullopt;
        const Json parameters = message.value("params", Json::object());
        const Result result = result_of(message["method"].get<std::string>(), parameters);
        if (const auto* refusal = std::get_if<Refusal>(&result)) return refused(id, *refusal);
        return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::get<Json>(result)}};
    }

  private:
    using Result = std::variant<Json, Refusal>;

    static Json refused(const Json& id, const Refusal& refusal) {
        return {{"jsonrpc", "2.0"},
                {"id", id},
                {"error", {{"code", static_cast<int>(refusal.fault)}, {"message", refusal.what}}}};
    }

    Result result_of(const std::string& method, const Json& parameters) const {
        if (!parameters.is_object()) return Refusal{Fault::wrong_parameters, "\"params\" is no object"};
        if (method == "ping") return Json::object();
        if (method == "initialize") return greeting(parameters);
        if (method == "tools/list") {
            Json list = Json::array();
            for (const CommandRow* tool : tools_) list.push_back(tool_json(*tool));
            return Json{{"tools", std::move(list)}};
        }
        if (method == "tools/call") return call(parameters);
        return Refusal{Fault::no_method, "there is no method " + quote(method)};
    }

    static Json greeting(const Json& parameters) {
        const Json asked = parameters.value("protocolVersion", Json());
        const auto known =
            std::ranges::find_if(protocols, [&](std::string_view each) { return asked == std::string(each); });
        return {{"protocolVersion", known == protocols.end() ? protocols.front() : *known},
                {"capabilities", {{"tools", Json::object()}}},
                {"serverInfo", {{"name", "headcount"}, {"version", HEADCOUNT_VERSION}}},
                {"instructions",
                 "Counts, shapes, memory and arithmetic of transformers. arch is a preset's id (the tool presets lists "
                 "them) or the path of a configuration or of weights."}};
    }

    Result call(const Json& parameters) const {
        const Json name = parameters.value("name", Json());
        const auto tool = std::ranges::find_if(tools_, [&](const CommandRow* each) { return name == name_of(*each); });
        if (tool == tools_.end()) return Refusal{Fault::wrong_parameters, "there is no tool " + name.dump()};
        const Json arguments = parameters.value("arguments", Json::object());
        if (!arguments.is_object()) return Refusal{Fault::wrong_parameters, "\"arguments\" is no object"};
        std::vector<std::string> words{name_of(**tool)};
        const bool json = std::any_of((*tool)->options.begin(), (*tool)->options.end(),
                                      [](const OptionRow& row) { return name_of(row) == "--json"; });
        if (json) words.emplace_back("--json");
        if (std::optional<Refusal> refusal = add_words(**tool, arguments, words)) return *std::move(refusal);
        return answered(run_(words), json);
    }

    // What an argument takes; of a place that takes one also the argument for those behind it.
    static std::string how_to_give(const OptionRow& row, std::span<const OptionRow* const> rows) {
        if (row.value.empty()) return "give true or false";
        if (row.repeated)
            return "give a list of texts, each " + row.value +
                   (row.value.find('=') == std::string::npos ? "" : ", such as [\"kv_heads=32\"]");
        const bool place = !row.names.front().starts_with('-');
        std::string more;
        for (const OptionRow* each : rows)
            if (place && each->repeated && !each->names.front().starts_with('-'))
                more = ", and further ones as the list " + quote(key_of(*each));
        return "give a text or a number (" + row.value + ")" + more;
    }

    // The arguments as they are typed: options first, since what follows "--" is none.
    static std::optional<Refusal> add_words(const CommandRow& command, const Json& arguments,
                                            std::vector<std::string>& words) {
        std::vector<std::string> places;
        const std::vector<const OptionRow*> rows = arguments_of(command);
        for (const auto& [key, value] : arguments.items())
            if (std::ranges::none_of(rows, [&, &key = key](const OptionRow* row) { return key_of(*row) == key; }))
                return Refusal{Fault::wrong_parameters, name_of(command) + " has no argument " + quote(key)};
        for (const OptionRow* row : rows) {
            const auto given = arguments.find(key_of(*row));
            if (given == arguments.end()) continue;
            const Refusal wrong{Fault::wrong_parameters,
                                quote(key_of(*row)) + " cannot be " +
                                    given->dump(-1, ' ', false, Json::error_handler_t::replace) + ": " +
                                    how_to_give(*row, rows)};
            if (row->value.empty()) {
                if (!given->is_boolean()) return wrong;
                if (given->get<bool>()) words.push_back(name_of(*row));
                continue;
            }
            if (given->is_array() && !row->repeated) return wrong;
            for (const Json& each : given->is_array() ? *given : Json::array({*given})) {
                const std::optional<std::string> text = typed(each);
                if (!text) return wrong;
                if (*text == standard_input && (row->value == "ARCH" || !row->names.front().starts_with('-')))
                    return Refusal{Fault::wrong_parameters,
                                   quote(key_of(*row)) + " cannot be standard input, on which you speak: name a file"};
                if (row->names.front().starts_with('-'))
                    words.push_back(name_of(*row) + '=' + *text);
                else
                    places.push_back(*text);
            }
        }
        words.emplace_back("--");
        words.insert(words.end(), places.begin(), places.end());
        return std::nullopt;
    }

    // What went wrong is the tool's answer: the caller can mend it.
    static Json answered(const Answered& ran, bool json) {
        const bool failed = ran.status != 0;
        const Json found = json ? Json::parse(ran.out, nullptr, false) : Json();
        // An object has its notes in it.
        const std::string text = ran.out + (failed || !found.is_object() ? ran.err : "");
        Json content = Json::array({{{"type", "text"}, {"text", text}}});
        if (!ran.picture.empty())
            content = Json::array({{{"type", "image"}, {"data", base64(ran.picture)}, {"mimeType", "image/png"}}});
        Json result{{"content", std::move(content)}, {"isError", failed}};
        if (found.is_object()) result["structuredContent"] = found;
        return result;
    }

    const RunCommand& run_;
    std::vector<const CommandRow*> tools_;
};

}  // namespace

void serve(std::istream& in, std::ostream& out, const std::vector<CommandRow>& table, const RunCommand& run) {
    const Server server(table, run);
    for (std::string line; std::getline(in, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (const std::optional<Json> answer = server.answer(line))
            out << answer->dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
        if (!out) return;
    }
}

namespace {

struct ServeArguments {
    std::vector<std::string_view> views;
    DrawPlace draw;
    DrawPicture picture;
    std::vector<AskCommand> actions;
    const CLI::App* program = nullptr;
    bool stdio = false;
};

// A file of its own, gone with this value: among those that pass, or here where the system names no such folder.
class PassingFile {
  public:
    PassingFile() {
        std::error_code ignored;
        path_ = std::filesystem::temp_directory_path(ignored) / name();
    }
    ~PassingFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    PassingFile(const PassingFile&) = delete;
    PassingFile& operator=(const PassingFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::string bytes() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    static std::string name() { return "headcount-" + std::to_string(std::random_device()()) + ".png"; }

    std::filesystem::path path_;
};

Answered run_command(const ServeArguments& arguments, std::span<const std::string> asked) {
    std::vector<std::string> words(asked.begin(), asked.end());
    std::optional<PassingFile> file;
    if (words.front() == drawing_tool) words.insert(words.begin() + 1, "--output=" + file.emplace().path().string());
    std::ostringstream out, err;
    const CommandLine done =
        parse_command_line(words, out, err, arguments.views, arguments.draw, {}, arguments.actions);
    const auto* const picture = std::get_if<RenderOptions>(&done);
    if (!picture || !file || !arguments.picture) {
        const int* const status = std::get_if<int>(&done);
        return {status ? *status : 1, out.str(), err.str()};
    }
    const Result<std::filesystem::path> drawn = arguments.picture(*picture);
    if (!drawn) return {1, "", "headcount: " + sentence(drawn.error()) + '\n'};
    return {0, "", err.str(), file->bytes()};
}

}  // namespace

Command serve_command(std::span<const std::string_view> views, const DrawPlace& draw, const DrawPicture& picture,
                      std::span<const AskCommand> actions) {
    const auto describe = [views, draw, picture, actions](CLI::App* command, ServeArguments& arguments) {
        arguments.views.assign(views.begin(), views.end());
        arguments.draw = draw;
        arguments.picture = picture;
        arguments.actions.assign(actions.begin(), actions.end());
        arguments.program = command->get_parent();
        command->add_flag("--stdio", arguments.stdio, "read from standard input, answer on standard output");
        add_rule(command, [&arguments]() -> Failure {
            if (arguments.stdio) return std::nullopt;
            return Error{"there is no other way to be asked than by standard input", "serve", "add --stdio"};
        });
    };
    const auto act = [](const ServeArguments& arguments, Output& output) -> Failure {
        serve(std::cin, output.out, command_table(*arguments.program),
              [&](std::span<const std::string> words) { return run_command(arguments, words); });
        return std::nullopt;
    };
    return make_command<ServeArguments>("serve", "answer programs that speak the Model Context Protocol", describe,
                                        act);
}

}  // namespace headcount
