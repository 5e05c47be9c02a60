// The thread that finds out what is wrong with somebody else's transformer, for the Run view: its activations beside
// the model that runs. Whoever asks never waits for it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/diagnose/said.hpp"

namespace headcount {

struct DiagnosisOrder {
    std::shared_ptr<const Model> model;  // not null
    std::vector<std::int32_t> ids;       // that both read, where the file has none of its own
    std::string path;                    // of what the other program has written
    int threads = 1;

    bool operator==(const DiagnosisOrder&) const = default;
};

struct RunDiagnosis {
    std::weak_ptr<const Model> of;  // it keeps no memory of it
    std::string path;
    double progress = 0;            // 0 to 1
    std::vector<std::int32_t> ids;  // that were read
    bool own_ids = false;           // the file's
    std::optional<Diagnosis> found;
    std::optional<Error> wrong;  // why nothing can be found

    bool done() const { return found || wrong; }
};

class Diagnoser {
  public:
    // `wake` is called from the thread whenever there is news; it may be empty.
    explicit Diagnoser(std::function<void()> wake);
    ~Diagnoser();  // stops what is under way
    Diagnoser(const Diagnoser&) = delete;
    Diagnoser& operator=(const Diagnoser&) = delete;

    // Takes the place of what was asked before, where it is something else.
    void ask(DiagnosisOrder order);
    void forget();  // ends it: what is asked for then is found anew

    std::shared_ptr<const RunDiagnosis> found() const;  // null where nothing is asked for

    void wait_until_calm() const;

  private:
    void serve(const std::stop_token& stop);
    void work(const DiagnosisOrder& order, unsigned age);
    void hand_over(RunDiagnosis diagnosis, unsigned age);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_, calm_;
    std::optional<DiagnosisOrder> asked_;
    bool open_ = false, busy_ = false;  // it is not looked at yet; one is
    unsigned age_ = 0;                  // how often another was asked for
    std::shared_ptr<const RunDiagnosis> found_;
    std::atomic<bool> stop_{false};
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace headcount
