// What a run has come to, and the jobs that take it further: load a model, read a prompt, make a token. All of it is
// done, and asked, by one thread at a time; another gives memory back.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/state/run/snapshot.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/run.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

class RunBin {
  public:
    RunBin();
    ~RunBin();  // gives back what is left
    RunBin(const RunBin&) = delete;
    RunBin& operator=(const RunBin&) = delete;

    bool idle() const;  // all that was let go of is given back

    // The same thing, but destroyed by the thread, wherever its last owner lets go of it; or there, when the bin is no
    // more.
    template <class T>
    std::shared_ptr<T> collected(std::shared_ptr<T> thing) const {
        T* const raw = thing.get();
        return {raw, [owned = std::move(thing), pile = pile_](T*) mutable { put(*pile, std::move(owned)); }};
    }

  private:
    struct Pile {
        mutable std::mutex mutex;
        std::condition_variable_any filled;
        std::vector<std::shared_ptr<const void>> things;
        bool open = true, busy = false;
    };
    static void put(Pile& pile, std::shared_ptr<const void> thing);
    static void empty(const std::stop_token& stop, Pile& pile);

    std::shared_ptr<Pile> pile_;  // with everything that was handed out
    std::jthread thread_;         // last: it uses the above
};

// The tokens of what was typed for this model: its text, or without a tokenizer their numbers. Fails with what the
// interface says beside the field.
Result<std::vector<std::int32_t>> tokens_of(const RunModel& model, const Tokenizer* tokenizer, const std::string& text);

// What is to run.
struct RunOrder {
    std::shared_ptr<const RunModel> model;  // null, or one that is wrong: nothing
    std::string prompt, ids;                // which of the two counts, the tokenizer decides
    std::vector<std::int32_t> given = {};   // where there are any, they count instead
    RunSampling sampling;                   // of the next tokens
    RunSpeed speed = RunSpeed::one;

    bool operator==(const RunOrder&) const = default;
};

class RunWork {
  public:
    // `news` is called in the middle of a job, when `now` has something to show. A job ends early where `stop` is true.
    RunWork(std::function<void()> news, const std::atomic<bool>& stop);

    // Each returns whether it came to its end. One that failed leaves what there was before, and says why in
    // `now().error`; one that was stopped says nothing and counts as not begun.
    bool load(const RunOrder& order);
    bool read(const RunOrder& order);
    bool make_token(const RunOrder& order);
    void show_layer() { ++now_.layers_shown; }
    // Undoes the last of these, or a whole token where layers are not shown.
    bool go_back(const RunOrder& order);
    void give_back();          // all memory; ends when that is done
    void run_out_of_memory();  // the same, and says why; nothing begins again by itself

    const RunSnapshot& now() const { return now_; }
    const std::shared_ptr<const RunModel>& of() const { return of_; }  // that was loaded, or could not be
    bool has_model() const { return model_ != nullptr; }
    bool has_read() const { return read_; }  // a prompt, or failed to
    bool may_go_on() const { return run_ && !blocked_ && (!now_.over || !now_.whole()); }
    bool may_go_back() const { return run_ && !blocked_ && now_.generated > 0; }
    bool read_another(const RunOrder& order) const {
        return prompt_ != order.prompt || ids_ != order.ids || given_ != order.given;
    }

  private:
    using Clock = std::chrono::steady_clock;

    RunToken token_of(std::int32_t id, bool generated) const;
    std::optional<std::int64_t> masked_position(const Architecture& arch, std::span<const std::int32_t> ids) const;
    std::string why_over(const RunModel& model) const;
    std::optional<Error> begin(const RunOrder& order, std::span<const std::int32_t> ids);
    std::optional<Error> go_on(const RunOrder& order, std::int32_t id);
    void forget();
    void wait_for_memory(const RunModel& model) const;
    void take_values(const RunOrder& order);
    bool fail(Error error);
    void tell();
    void tell_progress(double share);
    Watch watch();

    RunBin bin_;  // first: it outlives what is collected in it
    std::function<void()> news_;
    const std::atomic<bool>& stop_;
    std::shared_ptr<const RunModel> of_;
    std::shared_ptr<const Model> model_;  // null: it could not be loaded
    std::shared_ptr<const Tokenizer> tokenizer_;
    std::shared_ptr<Run> run_;
    std::vector<std::int32_t> source_;  // of the prompt that was read last, where an encoder reads it
    std::string prompt_, ids_;          // that were read, or could not be
    std::vector<std::int32_t> given_;   // the same
    bool read_ = false;                 // one was, or could not be
    bool blocked_ = false;              // ... the latter: there is nothing to go on with
    RunSnapshot now_;
    Clock::time_point told_{};
};

}  // namespace headcount
