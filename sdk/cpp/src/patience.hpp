// How a bot goes on when a stream breaks: it tries again, ever more slowly, for some time.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

namespace sevens {

/// The arena cannot be reached any more; the text says since when and why.
class Unreachable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Patience {
public:
    using Instant = std::chrono::steady_clock::time_point;
    using Seconds = std::chrono::duration<double>;

    explicit Patience(std::string address);

    /// How long to wait before the next attempt; throws Unreachable when it is enough.
    /// `welcomed_at`: when the broken stream began, if it did.
    Seconds after(std::optional<Instant> welcomed_at, Instant now, const std::string& reason);

private:
    std::string address_;
    Seconds limit_;
    Seconds pause_;
    std::optional<Instant> broken_at_;
};

}  // namespace sevens
