// The backoff after a stream breaks: the bot tries again, ever more slowly. An arena that is not on
// this machine may be away for minutes, and is never given up.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

namespace sevens {

/// The arena can no longer be reached; the text says since when and why.
class Unreachable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Patience {
public:
    using Instant = std::chrono::steady_clock::time_point;
    using Seconds = std::chrono::duration<double>;

    explicit Patience(std::string address);

    /// Returns the time to wait before the next attempt. Throws Unreachable to give up.
    /// `welcomed_at`: the time when the broken stream was welcomed, if it was.
    Seconds after(std::optional<Instant> welcomed_at, Instant now, const std::string& reason);

private:
    std::string address_;
    std::optional<Seconds> limit_;
    Seconds pause_;
    std::optional<Instant> broken_at_;
};

}  // namespace sevens
