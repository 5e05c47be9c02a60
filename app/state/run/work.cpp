// One job after the other, each from what the jobs before it left.
#include "app/state/run/work.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "app/state/run/next.hpp"
#include "core/base/find.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

using namespace std::chrono_literals;

constexpr auto between_news = 15ms;    // of work that goes on: a frame shows no more of them
constexpr auto frame_takes_news = 1s;  // at most; one that takes none has no say in what comes next

// "1, 2, 3" or "1 2 3".
Result<std::vector<std::int32_t>> ids_of(const std::string& text) {
    std::vector<std::int32_t> ids;
    const char *at = text.data(), *const end = at + text.size();
    while (at != end) {
        if (*at == ' ' || *at == ',' || *at == '\n' || *at == '\t') {
            ++at;
            continue;
        }
        std::int32_t id = 0;
        const auto [after, wrong] = std::from_chars(at, end, id);
        if (wrong != std::errc{} || id < 0)
            return Error{quote({at, std::find_if(at, end, [](char c) { return c == ' ' || c == ','; })}) +
                             " is no token's number",
                         "ids", "give numbers such as 1, 2, 3"};
        ids.push_back(id);
        at = after;
    }
    if (ids.empty()) return Error{"there are no tokens", "ids", "give numbers such as 1, 2, 3"};
    return ids;
}

}  // namespace

Result<std::vector<std::int32_t>> tokens_of(const RunModel& model, const Tokenizer* tokenizer,
                                            const std::string& text) {
    const char* const field = tokenizer ? "prompt" : "ids";
    Result<std::vector<std::int32_t>> ids = tokenizer ? tokenizer->encode(text) : ids_of(text);
    if (!ids) return Error{ids.error().what, field, ids.error().fix};
    if (ids->empty()) return Error{"there is nothing to read", field, "type a word"};
    const std::int64_t vocab = model.architecture().vocab, room = model.options.capacity;
    for (const std::int32_t id : *ids)
        if (id >= vocab)
            return Error{"there is no token " + std::to_string(id), field,
                         "give numbers below " + std::to_string(vocab)};
    if (static_cast<std::int64_t>(ids->size()) > room)
        return Error{
            "the prompt has " + std::to_string(ids->size()) + " tokens, and there is room for " + std::to_string(room),
            field, "shorten it"};
    return ids;
}

RunBin::RunBin()
    : pile_(std::make_shared<Pile>()), thread_([pile = pile_](const std::stop_token& stop) { empty(stop, *pile); }) {}

RunBin::~RunBin() {
    const std::lock_guard lock(pile_->mutex);
    pile_->open = false;
}

void RunBin::put(Pile& pile, std::shared_ptr<const void> thing) {
    const std::lock_guard lock(pile.mutex);
    if (!pile.open) return;
    pile.things.push_back(std::move(thing));
    pile.filled.notify_all();
}

void RunBin::empty(const std::stop_token& stop, Pile& pile) {
    std::unique_lock lock(pile.mutex);
    while (pile.filled.wait(lock, stop, [&] { return !pile.things.empty(); })) {
        std::vector<std::shared_ptr<const void>> things = std::exchange(pile.things, {});
        pile.busy = true;
        lock.unlock();
        things.clear();
        lock.lock();
        pile.busy = false;
    }
}

bool RunBin::idle() const {
    const std::lock_guard lock(pile_->mutex);
    return pile_->things.empty() && !pile_->busy;
}

RunWork::RunWork(std::function<void()> news, const std::atomic<bool>& stop) : news_(std::move(news)), stop_(stop) {}

void RunWork::forget() {
    of_.reset();
    model_.reset();
    tokenizer_.reset();
    run_.reset();
    source_.clear();
    prompt_.clear();
    ids_.clear();
    given_.clear();
    read_ = blocked_ = false;
    now_ = {};
}

void RunWork::run_out_of_memory() {
    std::shared_ptr<const RunModel> of = of_;
    forget();
    of_ = now_.of = std::move(of);
    now_.error = Error{"there is not enough memory", "", "take a smaller model, or fewer tokens"};
}

// The memory counts as held until it is given back. The frame still shows the model, and lets go of it when it has the
// news.
void RunWork::give_back() {
    const std::int64_t held = now_.bytes_held;
    const std::weak_ptr<const Model> model = model_;
    forget();
    now_.bytes_held = held;
    tell();
    const auto until = Clock::now() + frame_takes_news;
    while (!stop_ && ((!model.expired() && Clock::now() < until) || !bin_.idle())) std::this_thread::sleep_for(5ms);
    now_.bytes_held = 0;
}

// This one may need the memory of the model before, which is being given back.
void RunWork::wait_for_memory(const RunModel& model) const {
    const auto until = Clock::now() + frame_takes_news;
    while (!stop_ && does_not_fit(model.need.total(), "") && (Clock::now() < until || !bin_.idle()))
        std::this_thread::sleep_for(5ms);
}

bool RunWork::load(const RunOrder& order) {
    forget();
    of_ = order.model;
    now_.of = order.model;
    now_.phase = RunPhase::loading;
    tell();
    wait_for_memory(*of_);
    const RunBasis& basis = order.model->of;
    Result<std::shared_ptr<const Model>> model = basis.checkpoint
                                                     ? load_model(basis.architecture, *basis.checkpoint, watch())
                                                     : random_model(basis.architecture, random_weights_seed, watch());
    if (!model) return fail(model.error());
    model_ = bin_.collected(std::move(*model));
    now_.bytes_held = model_->weights.bytes();
    now_.no_tokenizer = "Random weights have no tokenizer: tokens are given by their numbers.";
    if (basis.checkpoint) {
        Result<Tokenizer> tokenizer = Tokenizer::of_model(basis.file, basis.architecture.vocab);
        const std::optional<Error> wrong =
            tokenizer ? wrong_size(*tokenizer, basis.architecture.vocab) : tokenizer.error();
        now_.no_tokenizer = wrong ? sentence(*wrong) + "." : "";
        if (!wrong) tokenizer_ = std::make_shared<const Tokenizer>(std::move(*tokenizer));
    }
    now_.tokenizer = tokenizer_;
    return true;
}

bool RunWork::read(const RunOrder& order) {
    prompt_ = order.prompt;
    ids_ = order.ids;
    given_ = order.given;
    read_ = blocked_ = true;
    const Result<std::vector<std::int32_t>> ids =
        given_.empty() ? tokens_of(*order.model, tokenizer_.get(), tokenizer_ ? order.prompt : order.ids)
                       : Result<std::vector<std::int32_t>>(given_);
    if (!ids) return fail(ids.error());
    now_.phase = RunPhase::reading;
    now_.error.reset();
    tell_progress(0);
    // An encoder reads what is typed, and the decoder beside it begins its own text.
    const Architecture& arch = order.model->architecture();
    std::vector<std::int32_t> text = *ids;
    source_.clear();
    if (arch.encoder) source_ = std::exchange(text, {decoder_start(arch)});
    if (const std::optional<Error> error = begin(order, text)) return fail(*error);
    blocked_ = false;
    now_.tokens.clear();
    now_.source.clear();
    for (const std::int32_t id : text) now_.tokens.push_back(token_of(id, false));
    for (const std::int32_t id : source_) now_.source.push_back(token_of(id, false));
    now_.prompt = now_.tokens.size();
    now_.hidden = masked_position(arch, text);
    now_.prompt_text = order.prompt + (arch.encoder ? "\n" : "");
    if (!given_.empty()) now_.prompt_text = tokenizer_ ? tokenizer_->decode(given_, Specials::left_out) : "";
    now_.generated_text.clear();
    now_.prompt_seconds = run_->seconds();
    now_.seconds = 0;
    now_.generated = 0;
    now_.over = false;
    now_.layers_shown = order.model->architecture().layers + 1;
    take_values(order);
    return true;
}

// A model that goes on behind the last token fills no earlier one, whatever its tokenizer calls a mask.
std::optional<std::int64_t> RunWork::masked_position(const Architecture& arch,
                                                     std::span<const std::int32_t> ids) const {
    const std::optional<std::int32_t> mask = tokenizer_ && !generates(arch) ? tokenizer_->mask() : std::nullopt;
    const auto found = mask ? std::ranges::find(ids, *mask) : ids.end();
    return found == ids.end() ? std::nullopt : std::optional<std::int64_t>(found - ids.begin());
}

RunToken RunWork::token_of(std::int32_t id, bool generated) const { return {id, piece_of(now_, id), generated}; }

// Another run, which takes the place of the one that is there when it has read all tokens.
std::optional<Error> RunWork::begin(const RunOrder& order, std::span<const std::int32_t> ids) {
    Result<Run> run = Run::start(model_, order.model->options);
    if (!run) return run.error();
    auto begun = std::make_shared<Run>(std::move(*run));
    if (!source_.empty())
        if (std::optional<Error> error = begun->set_source(source_)) return error;
    if (std::optional<Error> error = begun->append(ids, watch())) return error;
    run_ = bin_.collected(std::move(begun));
    return std::nullopt;
}

std::optional<Error> RunWork::go_on(const RunOrder& order, std::int32_t id) {
    if (!run_->turns_anew(1)) return run_->append(std::array{id}, watch());
    // What is shown reads the earlier tokens' numbers where they stand.
    std::vector<std::int32_t> all(run_->ids().begin(), run_->ids().end());
    all.push_back(id);
    return begin(order, all);
}

bool RunWork::make_token(const RunOrder& order) {
    const Result<std::int32_t> id = sample(run_->logits(), sampling_of(order.sampling), run_->tokens());
    if (!id) return fail(id.error());
    if (const std::optional<Error> error = go_on(order, *id)) return fail(*error);
    now_.error.reset();
    now_.tokens.push_back(token_of(*id, true));
    now_.seconds += run_->seconds();
    ++now_.generated;
    const std::int64_t layers = order.model->architecture().layers;
    now_.layers_shown = order.speed == RunSpeed::most ? layers + 1 : 0;
    if (tokenizer_) now_.generated_text = tokenizer_->decode(run_->ids().subspan(now_.prompt), Specials::left_out);
    take_values(order);
    return true;
}

// What is shown reads the numbers of the run as it is: the shorter text is read by another.
bool RunWork::go_back(const RunOrder& order) {
    if (now_.layers_shown > 0 && order.speed != RunSpeed::most) {
        --now_.layers_shown;
        return true;
    }
    const std::vector<std::int32_t> ids(run_->ids().begin(), run_->ids().end() - 1);
    if (const std::optional<Error> error = begin(order, ids)) return fail(*error);
    now_.error.reset();
    now_.tokens.pop_back();
    now_.seconds *= static_cast<double>(now_.generated - 1) / static_cast<double>(now_.generated);
    --now_.generated;
    now_.layers_shown = order.model->architecture().layers + 1;
    if (tokenizer_) now_.generated_text = tokenizer_->decode(run_->ids().subspan(now_.prompt), Specials::left_out);
    take_values(order);
    return true;
}

// What came of the last pass.
void RunWork::take_values(const RunOrder& order) {
    const std::span<const float> logits = run_->logits();
    now_.logits.assign(logits.begin(), logits.end());
    now_.values = std::make_shared<const RunValues>(model_, run_);
    now_.last_tokens = now_.generated == 0 ? run_->tokens() : 1;
    now_.last_seconds = run_->seconds();
    now_.last_flops = run_flops(*order.model, now_.last_tokens, run_->tokens() - now_.last_tokens, std::ssize(source_));
    now_.phase = RunPhase::ready;
    now_.bytes_held = order.model->need.total();
    now_.why_over = why_over(*order.model);
    now_.over = !now_.why_over.empty();
}

// A sentence where nothing can follow the newest token; else empty.
std::string RunWork::why_over(const RunModel& model) const {
    const Architecture& arch = model.architecture();
    if (sees_all(arch)) return "The model reads all tokens at once, and makes no more.";
    if (!generates(arch)) return "The model has no scores for a next token.";
    const RunToken& last = now_.tokens.back();
    if (tokenizer_ && last.generated && contains(tokenizer_->ends(), last.id)) return "The model has ended its text.";
    if (run_->tokens() >= model.options.capacity)
        return "There is room for " + std::to_string(run_->tokens()) + " tokens, and they are all there.";
    return "";
}

// Work that was ended from outside is no failure: what ended it is done next.
bool RunWork::fail(Error error) {
    if (error == stopped_error()) {
        if (!model_) of_.reset();
        read_ = read_ && !blocked_;
    } else {
        now_.error = std::move(error);
    }
    now_.phase = run_ ? RunPhase::ready : RunPhase::idle;
    return false;
}

void RunWork::tell() {
    told_ = Clock::now();
    news_();
}

void RunWork::tell_progress(double share) {
    now_.progress = share;
    if (share == 0 || Clock::now() - told_ >= between_news) tell();
}

Watch RunWork::watch() {
    return {[this](double share) { tell_progress(share); }, &stop_};
}

}  // namespace headcount
