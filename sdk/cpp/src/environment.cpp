#include "environment.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

namespace sevens {
namespace {

std::uint32_t number_in(const std::string& text) {
    std::uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end || number < 1) {
        throw WrongEnvironment("The number of matches at once has to be 1 or more, not '" + text +
                               "'.");
    }
    return number;
}

bool wants_tls(const std::string& text) {
    if (!text.empty() && text != "0" && text != "1") {
        throw WrongEnvironment("ARENA_TLS has to be 1 (with TLS) or 0 (without), not '" + text +
                               "'.");
    }
    return text == "1";
}

std::string contents(const std::string& path) {
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || text.find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
        throw WrongEnvironment("ARENA_TLS_CA names " + path +
                               ", which is not a file with a certificate in PEM.");
    }
    return text;
}

// A file of variables that was written on Windows leaves a carriage return behind each.
std::string trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

}  // namespace

Environment read_environment(const std::function<const char*(const char*)>& get) {
    const auto value = [&get](const char* name) {
        const char* text = get(name);
        return trimmed(text != nullptr ? text : "");
    };
    std::string missing;
    for (const char* name : {"ARENA_ADDRESS", "ARENA_TOKEN"}) {
        if (value(name).empty()) {
            missing += (missing.empty() ? "" : ", ") + std::string(name);
        }
    }
    if (!missing.empty()) {
        throw WrongEnvironment(
            "This bot is started by the arena; to try it, in its folder:"
            " arena play xeri . builtin:random\n(Not set in the environment: " +
            missing + ".)");
    }
    Environment environment;
    environment.address = value("ARENA_ADDRESS");
    environment.token = value("ARENA_TOKEN");
    if (const std::string number = value("ARENA_MATCHES_AT_ONCE"); !number.empty()) {
        environment.matches_at_once = number_in(number);
    }
    environment.tls = wants_tls(value("ARENA_TLS"));
    if (const std::string file = value("ARENA_TLS_CA"); environment.tls && !file.empty()) {
        environment.certificates = contents(file);
    }
    return environment;
}

}  // namespace sevens
