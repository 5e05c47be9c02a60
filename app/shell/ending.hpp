// Ends that come from outside: a signal, or a library that ends the process because the display has gone.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace headcount {

// From now on a signal that asks the program to end waits for an EndWatch. Called before there are other threads, which
// inherit that. Signals that are ignored (`nohup`) stay ignored. Nor does writing to what has gone end it, as to the
// display: the library that writes sees an error, and a LastAct is done.
void hold_ends();

// Takes the first of these signals, so that the program can end in its own way; the second one ends it at once.
class EndWatch {
  public:
    explicit EndWatch(std::function<void()> wake);  // called on another thread when it is asked
    ~EndWatch();
    EndWatch(const EndWatch&) = delete;
    EndWatch& operator=(const EndWatch&) = delete;

    bool asked() const { return asked_; }

  private:
    void watch();

    std::function<void()> wake_;
    std::atomic<bool> asked_ = false, over_ = false;
    std::thread thread_;
};

// What is still done when the process ends from within a library on this thread, as Xlib ends it when the connection to
// the display is lost. Where the system (not glibc) has no such hook, nothing is.
class LastAct {
  public:
    explicit LastAct(std::function<void()> act);
    ~LastAct();  // ended as usual: nothing is left to do
    LastAct(const LastAct&) = delete;
    LastAct& operator=(const LastAct&) = delete;

  private:
    struct Planned {
        std::thread::id thread;
        std::function<void()> act;
    };
    Planned* planned_;  // the system's until the process ends
};

}  // namespace headcount
