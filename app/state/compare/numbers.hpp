// How far the numbers of B's weights are from A's, tensor by tensor, and then the ranks of what they differ by, found
// by a thread: whoever asks never waits for it.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/state/known_file.hpp"
#include "core/arch/architecture.hpp"
#include "core/runtime/weight_error.hpp"

namespace headcount {

// The weights of one side: the file that they lie in or beside, and the architecture that they are read for.
struct NumbersOf {
    std::string file;  // as Document::file
    Architecture architecture;

    bool operator==(const NumbersOf&) const = default;
};

struct NumbersApart {
    NumbersOf a, b;
    WeightErrors errors;                             // of B, in parts of A's
    std::vector<std::array<std::string, 2>> stored;  // of each of their tensors: A's type and B's; empty: not by itself
    std::map<std::string, double, std::less<>> by_tensor;  // the errors, of all layers together: by its id in the graph
    double largest = 0;                                    // of these
    std::vector<std::optional<Ranks>> ranks;  // of what the first tensors differ by: they are found one after the other
    bool ranked = false;                      // all are there
    std::array<KnownFile, 2> read;            // the files as they were, without what is in them
    std::optional<Error> wrong;               // then there are none
};

class NumbersFinder {
  public:
    // `wake` is called from the thread when there is an answer; it may be empty.
    explicit NumbersFinder(std::function<void()> wake);
    ~NumbersFinder();
    NumbersFinder(const NumbersFinder&) = delete;
    NumbersFinder& operator=(const NumbersFinder&) = delete;

    // Takes the place of what was asked before, where it is another question, or the files are others now.
    void ask(const NumbersOf& a, const NumbersOf& b);
    void rest();  // gives up what is under way; what was found stays

    std::shared_ptr<const NumbersApart> found() const;  // of what was asked last; null as long as it is looked for
    void wait_until_calm() const;

  private:
    void serve(const std::stop_token& stop);
    void publish(const NumbersApart& apart);
    std::optional<Error> find(NumbersApart& apart);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_;
    std::optional<std::array<NumbersOf, 2>> asked_;
    bool open_ = false, busy_ = false;  // it is not looked at yet; one is
    std::shared_ptr<const NumbersApart> found_;
    std::atomic<bool> stop_{false};  // what is under way
    std::jthread thread_;            // last: it uses all of the above
};

}  // namespace headcount
