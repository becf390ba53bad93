// The settings from the environment of the process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace sevens {

/// The environment does not say where the arena is; the text names what is missing or wrong.
class WrongEnvironment : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Environment {
    std::string address;
    std::string token;
    std::optional<std::uint32_t> matches_at_once;
    bool tls = false;
    /// The certificates to trust, in PEM; if empty, those that the system trusts.
    std::string certificates;
};

/// Reads the environment through a function like std::getenv. Throws WrongEnvironment.
Environment read_environment(const std::function<const char*(const char*)>& get);

}  // namespace sevens
