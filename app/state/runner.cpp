// Waits for something to do, does it without the lock, and hands over what came of it.
#include "app/state/runner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "app/state/run_next.hpp"
#include "core/runtime/run.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

using namespace std::chrono_literals;

constexpr auto between_news = 15ms;  // of work that goes on: a frame shows no more of them

// How long a layer of a token stays before the next is shown; a token, where these are not shown.
std::chrono::milliseconds pace(RunSpeed speed) {
    switch (speed) {
        case RunSpeed::half:
            return 600ms;
        case RunSpeed::one:
            return 300ms;
        case RunSpeed::four:
            return 75ms;
        case RunSpeed::most:
            return 0ms;
    }
    return 0ms;
}

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
            return Error{"\"" + std::string(at, std::find_if(at, end, [](char c) { return c == ' ' || c == ','; })) +
                             "\" is no token's number",
                         "ids", "give numbers such as 1, 2, 3"};
        ids.push_back(id);
        at = after;
    }
    if (ids.empty()) return Error{"there are no tokens", "ids", "give numbers such as 1, 2, 3"};
    return ids;
}

}  // namespace

struct Runner::Doing {
    std::shared_ptr<const RunModel> of;  // that was loaded, or could not be
    std::shared_ptr<const Model> model;  // null: it could not
    std::shared_ptr<const Tokenizer> tokenizer;
    std::shared_ptr<Run> run;
    std::string prompt, ids;  // that were read, or could not be
    bool read = false;        // one was, or could not be
    bool blocked = false;     // ... the latter: there is nothing to go on with
    unsigned restarts = 0;
    RunSnapshot now;  // what is handed over next
    Clock::time_point published{};
};

Runner::Runner(std::function<void()> wake)
    : wake_(std::move(wake)),
      doing_(std::make_unique<Doing>()),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

Runner::~Runner() {
    stop_ = true;
    thread_.request_stop();
    thread_.join();
}

void Runner::order(RunOrder order) {
    const std::lock_guard lock(mutex_);
    if (order == order_) return;
    const bool other = order.model != order_.model;
    if (other) {
        begun_ = playing_ = false;
        steps_ = 0;
    }
    const bool reads_anew = other || order.prompt != order_.prompt || order.ids != order_.ids;
    if (reads_anew) {
        stop_ = busy_;
        free_ = false;
    }
    if (order.speed != order_.speed) due_ = {};
    order_ = std::move(order);
    refresh();
    changed_.notify_all();
}

// Under the lock, before something is begun: what failed is tried again.
void Runner::begin() {
    begun_ = true;
    free_ = false;
    if (!latest_ || !latest_->error || latest_->of != order_.model) return;
    const std::string& where = latest_->error->where;
    if (!latest_->values || where == "prompt" || where == "ids") ++restarts_;
}

void Runner::play(bool playing) {
    const std::lock_guard lock(mutex_);
    playing_ = playing;
    if (playing) begin();
    if (playing && latest_ && latest_->over && latest_->whole()) ++restarts_;
    steps_ = 0;
    due_ = {};
    refresh();
    changed_.notify_all();
}

void Runner::step() {
    const std::lock_guard lock(mutex_);
    playing_ = false;
    begin();
    ++steps_;
    refresh();
    changed_.notify_all();
}

void Runner::restart() {
    const std::lock_guard lock(mutex_);
    playing_ = false;
    begin();
    steps_ = 0;
    ++restarts_;
    stop_ = busy_;
    refresh();
    changed_.notify_all();
}

void Runner::free() {
    const std::lock_guard lock(mutex_);
    playing_ = begun_ = false;
    steps_ = 0;
    free_ = true;
    stop_ = busy_;
    refresh();
    changed_.notify_all();
}

std::shared_ptr<const RunSnapshot> Runner::latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

bool Runner::playing() const {
    const std::lock_guard lock(mutex_);
    return playing_;
}

void Runner::wait_until_calm() const {
    std::unique_lock lock(mutex_);
    calm_.wait(lock, [&] { return !busy_ && next_job() == Job::none; });
}

bool Runner::wants_to_begin() const {
    const RunModel* const model = order_.model.get();
    return model && !model->wrong && !free_ && (begun_ || model->light());
}

bool Runner::may_go_on() const {
    return doing_->run && !doing_->blocked && (!doing_->now.over || !doing_->now.whole());
}

bool Runner::other_prompt() const {
    return doing_->prompt != order_.prompt || doing_->ids != order_.ids;
}

Runner::Job Runner::next_job() const {
    const Doing& doing = *doing_;
    if (!wants_to_begin()) return doing.of ? Job::free : Job::none;
    const bool again = doing.restarts != restarts_;
    if (doing.of != order_.model) return Job::load;
    if (!doing.model) return again ? Job::load : Job::none;
    const bool asked = playing_ || steps_ > 0;
    if (!doing.read || again || (other_prompt() && (order_.model->light() || asked))) return Job::read;
    if (!asked || !may_go_on()) return Job::none;
    return doing.now.whole() ? Job::token : Job::layer;
}

void Runner::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        const Job job = next_job();
        if (job == Job::none) {
            calm_.notify_all();
            changed_.wait(lock, stop, [&] { return next_job() != Job::none; });
            continue;
        }
        const bool paced = (job == Job::layer || job == Job::token) && steps_ == 0;
        if (paced && Clock::now() < due_) {
            changed_.wait_until(lock, stop, due_,
                                [&] { return Clock::now() >= due_ || next_job() != job || steps_ > 0; });
            continue;
        }
        busy_ = true;
        stop_ = false;
        const RunOrder order = order_;
        doing_->restarts = restarts_;
        if ((job == Job::layer || job == Job::token) && steps_ > 0) --steps_;
        lock.unlock();
        do_job(job, order);
        lock.lock();
        due_ = Clock::now() + pace(order_.speed);
        busy_ = false;
    }
    calm_.notify_all();
}

void Runner::do_job(Job job, const RunOrder& order) {
    switch (job) {
        case Job::none:
            break;
        case Job::free:
            *doing_ = Doing{.restarts = doing_->restarts};
            publish();
            break;
        case Job::load:
            load(order);
            break;
        case Job::read:
            read(order);
            break;
        case Job::layer:
            ++doing_->now.layers_shown;
            publish();
            break;
        case Job::token:
            make_token(order);
            break;
    }
}

void Runner::load(const RunOrder& order) {
    Doing& doing = *doing_;
    doing = Doing{.of = order.model, .restarts = doing.restarts};
    doing.now.of = order.model;
    doing.now.phase = RunPhase::loading;
    publish();
    const RunBasis& basis = order.model->of;
    Result<std::shared_ptr<const Model>> model = basis.checkpoint
                                                     ? load_model(basis.architecture, *basis.checkpoint, watch())
                                                     : random_model(basis.architecture, random_weights_seed, watch());
    if (!model) return fail(model.error());
    doing.model = std::move(*model);
    doing.now.bytes_held = doing.model->weights.bytes();
    doing.now.no_tokenizer = "Random weights have no tokenizer: tokens are given by their numbers.";
    if (basis.checkpoint) {
        Result<Tokenizer> tokenizer = Tokenizer::of_model(basis.file);
        const std::optional<Error> wrong =
            tokenizer ? wrong_size(*tokenizer, basis.architecture.vocab) : tokenizer.error();
        doing.now.no_tokenizer = wrong ? sentence(*wrong) + "." : "";
        if (!wrong) doing.tokenizer = std::make_shared<const Tokenizer>(std::move(*tokenizer));
    }
    doing.now.tokenizer = doing.tokenizer;
    publish();
}

// Fails with what the interface says beside the prompt.
Result<std::vector<std::int32_t>> Runner::tokens_of(const RunOrder& order) const {
    const char* const field = doing_->tokenizer ? "prompt" : "ids";
    Result<std::vector<std::int32_t>> ids =
        doing_->tokenizer ? doing_->tokenizer->encode(order.prompt) : ids_of(order.ids);
    if (!ids) return Error{ids.error().what, field, ids.error().fix};
    if (ids->empty()) return Error{"there is nothing to read", field, "type a word"};
    const std::int64_t vocab = order.model->architecture().vocab, room = order.model->options.capacity;
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

void Runner::read(const RunOrder& order) {
    Doing& doing = *doing_;
    doing.prompt = order.prompt;
    doing.ids = order.ids;
    doing.read = doing.blocked = true;
    const Result<std::vector<std::int32_t>> ids = tokens_of(order);
    if (!ids) return fail(ids.error());
    doing.now.phase = RunPhase::reading;
    doing.now.error.reset();
    publish_progress(0);
    Result<Run> run = Run::start(doing.model, order.model->options);
    if (!run) return fail(run.error());
    auto begun = std::make_shared<Run>(std::move(*run));
    if (const std::optional<Error> error = begun->append(*ids, watch())) return fail(*error);
    doing.blocked = false;
    doing.run = std::move(begun);
    RunSnapshot& now = doing.now;
    now.tokens.clear();
    for (const std::int32_t id : *ids) now.tokens.push_back(token_of(id, false));
    now.prompt = now.tokens.size();
    now.prompt_text = order.prompt;
    now.generated_text.clear();
    now.prompt_seconds = doing.run->seconds();
    now.seconds = 0;
    now.generated = 0;
    now.over = false;
    now.layers_shown = order.model->architecture().layers + 1;
    take_values(order);
}

RunToken Runner::token_of(std::int32_t id, bool generated) const {
    return {id, piece_of(doing_->now, id), generated};
}

void Runner::make_token(const RunOrder& order) {
    Doing& doing = *doing_;
    RunSnapshot& now = doing.now;
    const Result<std::int32_t> id = sample(doing.run->logits(), sampling_of(order.sampling), doing.run->tokens());
    if (!id) return fail(id.error());
    const std::array one{*id};
    if (const std::optional<Error> error = doing.run->append(one, watch())) return fail(*error);
    now.error.reset();
    now.tokens.push_back(token_of(*id, true));
    now.seconds += doing.run->seconds();
    ++now.generated;
    const std::int64_t layers = order.model->architecture().layers;
    now.layers_shown = order.speed == RunSpeed::most ? layers + 1 : 1;
    if (doing.tokenizer)
        now.generated_text = doing.tokenizer->decode(doing.run->ids().subspan(now.prompt), Specials::left_out);
    take_values(order);
}

// What came of the last pass.
void Runner::take_values(const RunOrder& order) {
    Doing& doing = *doing_;
    RunSnapshot& now = doing.now;
    const std::span<const float> logits = doing.run->logits();
    now.logits.assign(logits.begin(), logits.end());
    now.values = std::make_shared<const RunValues>(doing.model, doing.run);
    now.last_tokens = now.generated == 0 ? doing.run->tokens() : 1;
    now.last_seconds = doing.run->seconds();
    now.last_flops = run_flops(order.model->architecture(), now.last_tokens, doing.run->tokens() - now.last_tokens);
    now.phase = RunPhase::ready;
    now.bytes_held = order.model->need.total();
    const std::int32_t last = now.tokens.back().id;
    const bool ended = doing.tokenizer && now.tokens.back().generated &&
                       std::find(doing.tokenizer->ends().begin(), doing.tokenizer->ends().end(), last) !=
                           doing.tokenizer->ends().end();
    const bool full = doing.run->tokens() >= order.model->options.capacity;
    now.over = ended || full;
    now.why_over = ended ? "The model has ended its text."
                   : full
                       ? "There is room for " + std::to_string(doing.run->tokens()) + " tokens, and they are all there."
                       : "";
    publish();
}

// Keeps what there was before. Work that was ended from outside is no failure: what ended it is done next.
void Runner::fail(Error error) {
    Doing& doing = *doing_;
    if (error == stopped_error()) {
        if (!doing.model) doing.of.reset();
        doing.read = doing.read && !doing.blocked;
    } else {
        doing.now.error = std::move(error);
    }
    doing.now.phase = doing.run ? RunPhase::ready : RunPhase::idle;
    {
        const std::lock_guard lock(mutex_);
        if (doing.now.error) playing_ = false;
        steps_ = 0;
    }
    publish();
}

void Runner::publish() {
    doing_->published = Clock::now();
    {
        const std::lock_guard lock(mutex_);
        if (doing_->now.phase == RunPhase::ready && !may_go_on()) playing_ = false;
        doing_->now.playing = playing_;
        doing_->now.stale = doing_->model && doing_->read && other_prompt();
        latest_ = std::make_shared<const RunSnapshot>(doing_->now);
    }
    if (wake_) wake_();
}

// Under the lock, where the thread has nothing to say by itself.
void Runner::refresh() {
    if (!latest_ || busy_) return;
    auto other = std::make_shared<RunSnapshot>(*latest_);
    other->playing = playing_;
    other->stale = doing_->model && doing_->read && other_prompt();
    latest_ = std::move(other);
}

void Runner::publish_progress(double share) {
    doing_->now.progress = share;
    if (share > 0 && Clock::now() - doing_->published < between_news) return;
    publish();
}

Watch Runner::watch() {
    return {[this](double share) { publish_progress(share); }, &stop_};
}

}  // namespace headcount
