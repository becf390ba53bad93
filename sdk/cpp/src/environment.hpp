// What the environment of the process says about the arena.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace sevens {

/// The environment does not tell where the arena is, or not how; the text says what is wrong.
class WrongEnvironment : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Environment {
    std::string address;
    std::string token;
    std::optional<std::uint32_t> matches_at_once;
    bool tls = false;
    /// Certificates in PEM that the arena's is checked by; none: those that the system trusts.
    std::string certificates;
};

/// Reads the environment through a function like std::getenv. Throws WrongEnvironment.
Environment read_environment(const std::function<const char*(const char*)>& get);

}  // namespace sevens
