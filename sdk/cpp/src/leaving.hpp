// Ctrl-C and SIGTERM: at the first the bot asks to be let go, at the second the process ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace sevens {

/// Shared by the bot's thread and the one that receives signals.
class Leaving {
public:
    /// Handles those signals of this process that the program does not handle itself. This object
    /// must live as long as the process.
    void listen();

    /// True once the bot is to leave.
    bool asked();
    /// Asks it to leave.
    void ask();

    /// `wake` is called, perhaps by another thread, when the bot is to leave, or if it is already.
    void on_leave(std::function<void()> wake);
    /// Tells how many matches the bot has, and whether the arena has said goodbye.
    void know(std::size_t matches, bool goodbye);
    /// Waits for some time; a bot that is asked to leave meanwhile waits no longer.
    void sleep(std::chrono::duration<double> pause);

private:
    std::mutex mutex_;  // guards the rest
    std::condition_variable changed_;
    std::function<void()> wake_;
    std::size_t matches_ = 0;
    bool asked_ = false;
};

}  // namespace sevens
