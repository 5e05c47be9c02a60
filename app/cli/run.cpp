// headcount run: text from a model on this machine's processor.
#include "core/runtime/run.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <span>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_bench.hpp"
#include "app/cli/run_changes.hpp"
#include "app/cli/run_filled.hpp"
#include "app/cli/run_notes.hpp"
#include "app/cli/run_settings.hpp"
#include "app/cli/run_tree.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/experiment/weight_changes.hpp"
#include "core/files/assets.hpp"
#include "core/report/json.hpp"
#include "core/runtime/dump.hpp"
#include "core/tokenizer/tokenizer.hpp"
#include "core/workbook/forward.hpp"

namespace headcount {
namespace {

using Ids = std::vector<std::int32_t>;

// What was asked for, ready to go.
struct Prepared {
    std::shared_ptr<const Model> model, changed;  // with its own weights, and with those that were asked for
    std::optional<Tokenizer> tokenizer;
    Ids prompt, types, source;
    std::vector<float> numbers;  // of what is read and is no text
    std::vector<Change> changes;
    RunLengths lengths;
    std::vector<NodeChange> node_changes;  // the same, as a run obeys them; see there for means
    std::int64_t tokens = 0;               // new ones, at most
    RunOptions options;
    MemoryNeed need;
    Watch ranking;  // hears how far that is
    Notes notes;
};

Result<Ids> prompt_of(const RunArguments& arguments, const std::optional<Tokenizer>& tokenizer,
                      const Architecture& arch) {
    if (arguments.prompt_ids) return tokens_of(*arguments.prompt_ids, "--prompt-ids", arch.vocab);
    // Of an image each row stands for itself.
    if (arch.patches) return Ids(static_cast<std::size_t>(most_tokens(arch)), 0);
    if (arch.encoder && !arguments.prompt) return Ids{decoder_start(arch)};
    if (arguments.bench && !arguments.prompt) return bench_prompt(arch);
    // A decoder's text begins with a token of its own, and is not at its end.
    const bool whole = !arch.encoder;
    Result<Ids> ids = text_ids(*arguments.prompt, whole, "--prompt", *tokenizer, arch);
    if (ids && !whole) ids->insert(ids->begin(), decoder_start(arch));
    return ids;
}

// What an encoder reads.
Result<Ids> source_of(const RunArguments& arguments, const std::optional<Tokenizer>& tokenizer,
                      const Architecture& arch) {
    if (!arch.encoder) return Ids{};
    if (arch.sound) return Ids(static_cast<std::size_t>(most_source(arch)), 0);
    if (arguments.source_ids) return tokens_of(*arguments.source_ids, "--source-ids", arch.vocab);
    return arguments.source ? text_ids(*arguments.source, true, "--source", *tokenizer, arch) : bench_prompt(arch);
}

Result<std::shared_ptr<const Model>> load(const OpenedDocument& opened, const RunArguments& arguments,
                                          std::uint64_t seed, const Watch& watch) {
    const Architecture& arch = opened.document.architecture;
    return arguments.random_weights ? random_model(arch, seed, watch) : load_model(arch, *opened.checkpoint, watch);
}

Result<OpenedDocument> open_model(const RunArguments& arguments, Notes& said) {
    Result<OpenedDocument> opened = open_document(arguments.model, said);
    if (!opened || opened->checkpoint || arguments.random_weights) return opened;
    return Error{"there are no weights in " + in_quotes(arguments.model.arch), "ARCH",
                 "name a file of weights or the folder that has them, or add --random-weights"};
}

Failure cannot_dump(const RunArguments& arguments, std::span<const Change> changes,
                    std::vector<std::filesystem::path> read) {
    for (const Change& change : changes)
        if (!change.file.empty()) read.push_back(change.file);
    if (const auto tokenizer = Tokenizer::file_of_model(or_shipped_model(arguments.model.arch)))
        read.push_back(*tokenizer);
    Failure failure = cannot_write(*arguments.dump, read);
    return failure ? within("--dump", *std::move(failure)) : failure;
}

Result<Prepared> prepare(const RunArguments& arguments, const RunSettings& settings, Output& output) {
    Prepared all;
    const auto say = [&](const std::optional<std::string>& note) {
        if (!note) return;
        all.notes.push_back(*note);
        output.notes.push_back(*note);
    };
    const Result<OpenedDocument> opened = open_model(arguments, output.notes);
    if (!opened) return opened.error();
    const Architecture& arch = opened->document.architecture;
    all.notes = opened->notes;
    if (std::optional<Error> error = wrong_texts(arguments, arch)) return *std::move(error);
    if (arguments.tree && !generates(arch)) return Error{"this model makes no text", "--tree", "leave it out"};
    if (arguments.rank)
        if (Failure failure = cannot_rank(arch)) return within("--rank", *std::move(failure));
    all.changes = changes_of(arguments);
    if (arguments.dump)  // known before anything is computed
        if (Failure failure = cannot_dump(arguments, all.changes, opened->read)) return *std::move(failure);
    if (Result<Tokenizer> tokenizer = Tokenizer::of_model(or_shipped_model(arguments.model.arch), arch.vocab))
        all.tokenizer = *std::move(tokenizer);
    else if (arguments.prompt || arguments.source)
        return within(arguments.prompt ? "--prompt" : "--source", tokenizer.error());
    Result<Ids> prompt = prompt_of(arguments, all.tokenizer, arch);
    if (!prompt) return prompt.error();
    all.prompt = *std::move(prompt);
    Result<Ids> source = source_of(arguments, all.tokenizer, arch);
    if (!source) return source.error();
    all.source = *std::move(source);
    Result<std::vector<float>> numbers = numbers_of(arguments, arch);
    if (!numbers) return numbers.error();
    all.numbers = *std::move(numbers);
    if (arguments.prompt) {
        say(note_on_prompt(*arguments.prompt));
        say(note_on_unknown(all.prompt, *all.tokenizer));
    }
    const auto length = static_cast<std::int64_t>(all.prompt.size());
    const Result<std::int64_t> tokens = fitting_tokens(settings, length, arch);
    if (!tokens) return tokens.error();
    all.tokens = *tokens;
    Result<Ids> types = types_of(arguments, length, arch);
    if (!types) return types.error();
    all.types = *std::move(types);
    // The last one is made, and not read.
    const std::int64_t ahead = arguments.tree ? arguments.tree->depth - 1 : 0;
    if (arguments.tree && most_tokens(arch) > 0 && length + ahead > most_tokens(arch))
        return Error{"the context of " + grouped(most_tokens(arch)) + " has no room for " + grouped(ahead + 1) +
                         " tokens behind the prompt, of which the last needs none",
                     "--tree", "look less far ahead"};
    all.options = {.capacity = length + std::max({all.tokens - 1, ahead, std::int64_t{0}}),
                   .source = std::ssize(all.source),
                   .threads = settings.threads,
                   .keep = arguments.dump    ? Keep::all
                           : generates(arch) ? Keep::nothing
                                             : Keep::hidden};
    all.lengths = {length, all.options.capacity, all.options.source};
    Result<std::vector<NodeChange>> found = node_changes(all.changes, arch, all.lengths);
    if (!found) return found.error();
    all.node_changes = *std::move(found);
    RunOptions most = all.options;
    if (any_mean(all.changes)) most.keep = Keep::all;  // of the run that they are of
    Result<MemoryNeed> need = memory_need(arch, most);
    if (!need) return need.error();
    if (!arguments.random_weights) {
        const Result<std::int64_t> stored = weight_bytes(arch, *opened->checkpoint);
        if (!stored) return stored.error();
        need->weights = *stored;
    }
    all.need = *need;
    all.ranking = rank_watch(output.err, need->weights);
    if (std::optional<Error> error = does_not_fit(need->total(), "weights, caches and activations"))
        return *std::move(error);
    const Result<std::shared_ptr<const Model>> model =
        load(*opened, arguments, settings.weights_seed, weights_watch(output.err, need->weights));
    if (!model) return model.error();
    all.model = *model;
    if (!arguments.random_weights) say(note_on_unused(*opened->checkpoint, arch, all.model->graph));
    Result<std::shared_ptr<const Model>> changed = with_changed_weights(all.model, all.changes);
    if (!changed) return changed.error();
    all.changed = *std::move(changed);
    return all;
}

// Of the text that comes behind the prompt. Its bytes are not stripped as those of a whole text are.
std::string text_of(const Prepared& all, std::span<const std::int32_t> ids) {
    std::string text;
    for (const std::int32_t id : ids)
        if (all.tokenizer && !all.tokenizer->special(id)) text += all.tokenizer->bytes(id);
    return text;
}

// Writes text as it comes, piece by piece: a letter may begin in one token and end in the next.
class Teller {
  public:
    explicit Teller(std::ostream& out) : out_(out) {}

    void tell(std::string_view text) {
        waiting_ += text;
        const std::size_t whole = waiting_.size() - unfinished(waiting_);
        out_ << printable(std::string_view(waiting_).substr(0, whole), Lines::kept) << std::flush;
        waiting_.erase(0, whole);
    }
    void end() { out_ << printable(waiting_) << '\n'; }

  private:
    std::ostream& out_;
    std::string waiting_;
};

bool is_text(const RunArguments& arguments) { return arguments.prompt || arguments.source; }

// Ids in the place of a prompt are gone on from as far as is asked for, so that they can be compared.
bool over(const Prepared& all, const RunArguments& arguments, std::int32_t id) {
    if (!all.tokenizer || !is_text(arguments) || arguments.bench) return false;
    const Ids& ends = all.tokenizer->ends();
    return contains(ends, id);
}

struct Made {
    Ids ids;
    std::vector<FilledToken> filled;  // of a model that makes no text
    std::vector<float> pooled;
    std::optional<Rank> rank;
    std::vector<Branch> tree;
    RunSpeeds speeds;
};

std::optional<Error> go_on(Run& run, std::int32_t id) {
    if (!run.turns_anew(1)) return run.append(std::span(&id, 1));
    Ids all(run.ids().begin(), run.ids().end());
    all.push_back(id);
    run.keep_first(0);
    return run.append(all);
}

std::optional<Error> write_dump(const Run& run, const std::filesystem::path& path) {
    return path.extension() == ".xlsx" ? write_forward_pass(run, path) : write_activations(run, path);
}

// Before its first token.
Result<Run> begin(const Prepared& all, const std::shared_ptr<const Model>& model, Keep keep) {
    RunOptions options = all.options;
    options.keep = keep;
    Result<Run> run = Run::start(model, options);
    if (!run) return run.error();
    run->set_types(all.types);
    if (!all.source.empty())
        if (std::optional<Error> error = run->set_source(all.source)) return *std::move(error);
    if (!all.numbers.empty())
        if (std::optional<Error> error = run->set_numbers(all.numbers)) return *std::move(error);
    return run;
}

Result<std::vector<NodeChange>> with_means(const Prepared& all) {
    if (!any_mean(all.changes)) return all.node_changes;
    Result<Run> as_it_is = begin(all, all.model, Keep::all);
    if (!as_it_is) return as_it_is.error();
    if (std::optional<Error> error = as_it_is->append(all.prompt)) return *std::move(error);
    return node_changes(all.changes, all.model->architecture, all.lengths, &*as_it_is);
}

// `each` sees every token as it is made.
template <class Each>
Result<Made> generate(const Prepared& all, const RunArguments& arguments, const Sampling& sampling, const Each& each) {
    const Result<std::vector<NodeChange>> changes = with_means(all);
    if (!changes) return changes.error();
    Result<Run> run = begin(all, all.changed, all.options.keep);
    if (!run) return run.error();
    Made made;
    run->set_changes(*changes);
    if (arguments.rank) {
        Result<Rank> rank = rank_parts(*run, all.prompt, *changes, all.ranking);
        if (!rank) return within("--rank", rank.error());
        made.rank = *std::move(rank);
    }
    if (std::optional<Error> error = run->append(all.prompt)) return *std::move(error);
    if (arguments.tree) {
        const bool text = all.tokenizer && is_text(arguments);
        Result<std::vector<Branch>> tree = likeliest_branches(*run, {.width = arguments.tree->width,
                                                                     .depth = arguments.tree->depth,
                                                                     .sampling = sampling,
                                                                     .ends = text ? all.tokenizer->ends() : Ids()});
        if (!tree) return within("--tree", tree.error());
        made.tree = *std::move(tree);
        run->keep_first(0);  // the prompt's numbers are those of one pass
        if (std::optional<Error> error = run->append(all.prompt)) return *std::move(error);
    }
    made.speeds.prompt = run->tokens() + std::ssize(all.source);  // all that was read
    made.speeds.prompt_seconds = run->seconds();
    if (arguments.dump)
        if (std::optional<Error> error = write_dump(*run, *arguments.dump)) return within("--dump", *std::move(error));
    if (!generates(all.model->architecture) && !arguments.bench) made.filled = filled_in(*run, all.tokenizer);
    made.pooled = pooled(*run);
    while (static_cast<std::int64_t>(made.ids.size()) < all.tokens) {
        if (!made.ids.empty()) {
            if (std::optional<Error> error = go_on(*run, made.ids.back())) return *std::move(error);
            ++made.speeds.made;
            made.speeds.made_seconds += run->seconds();
        }
        const Result<std::int32_t> id = sample(run->logits(), sampling, run->tokens());
        if (!id) return id.error();
        made.ids.push_back(*id);
        each(*id);
        if (over(all, arguments, *id)) break;
    }
    return made;
}

nlohmann::ordered_json json_of(const Prepared& all, const Made& made) {
    nlohmann::ordered_json json{{"prompt_ids", all.prompt},
                                {"ids", made.ids},
                                {"text", text_of(all, made.ids)},
                                {"tokens_per_second", made.speeds.of_made()},
                                {"prompt_tokens_per_second", made.speeds.of_prompt()}};
    if (!all.source.empty()) json["source_ids"] = all.source;
    if (!all.changes.empty()) json["changes"] = changes_json(all.changes);
    if (made.rank) json["rank"] = rank_json(*made.rank);
    if (!made.tree.empty()) json["tree"] = tree_json(made.tree, all.tokenizer);
    for (const FilledToken& each : made.filled) json["filled"].push_back(filled_json(each, all.tokenizer));
    if (!made.pooled.empty()) json["pooled"] = made.pooled;
    if (const std::string& guess = all.model->graph.guess; !guess.empty()) json["note"] = guess;
    return json;
}

void write_ids(std::ostream& out, const char* what, const Ids& ids) {
    out << what;
    for (std::size_t i = 0; i < ids.size(); ++i) out << (i == 0 ? " " : ",") << ids[i];
    out << '\n';
}

Failure run_text(const RunArguments& arguments, Output& output) {
    // Where a file goes to standard output the text does not, so that the two do not mix.
    std::ostream& out = arguments.dump && is_standard_output(*arguments.dump) ? output.err : output.out;
    const RunSettings settings = run_settings(arguments);
    const Result<Prepared> all = prepare(arguments, settings, output);
    if (!all) return all.error();
    if (const std::string& guess = all->model->graph.guess; !guess.empty() && !arguments.json) out << guess << '\n';
    if (!all->changes.empty() && !arguments.json) out << changes_text(all->changes) << '\n';
    const bool as_text = all->tokenizer && is_text(arguments) && !arguments.json;
    Teller teller(out);
    if (as_text) teller.tell(all->tokenizer->decode(all->prompt, Specials::left_out));
    const Result<Made> made = generate(*all, arguments, settings.sampling, [&](std::int32_t id) {
        if (as_text) teller.tell(text_of(*all, std::span(&id, 1)));
    });
    if (as_text) teller.end();
    if (!made) return made.error();
    if (arguments.json) {
        out << noted_json(json_of(*all, *made), all->notes);
        return std::nullopt;
    }
    for (const FilledToken& each : made->filled) out << filled_text(each, all->tokenizer) << '\n';
    if (!made->pooled.empty()) out << pooled_text(made->pooled) << '\n';
    if (arguments.ids || (!as_text && !arguments.bench)) {
        if (!all->source.empty()) write_ids(out, "source:", all->source);
        write_ids(out, "prompt:", all->prompt);
        if (!made->ids.empty()) write_ids(out, "new:", made->ids);
    }
    if (made->rank) write_rank(out, *made->rank, all->tokenizer);
    if (!made->tree.empty()) write_text(out, tree_table(made->tree, all->tokenizer));
    if (!arguments.bench) return std::nullopt;
    const Result<Parameters> counted = count_parameters(all->model->graph, bindings(all->model->architecture, Input{}));
    if (!counted) return counted.error();
    write_bench(out, all->need, all->model->weights.kept(), counted->active_multiplied, settings.threads, made->speeds);
    return std::nullopt;
}

}  // namespace

Command run_command() { return make_command("run", "text from a model on the CPU", describe_run, run_text); }

}  // namespace headcount
