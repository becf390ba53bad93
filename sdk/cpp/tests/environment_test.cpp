#include "environment.hpp"

#include <map>

#include <doctest/doctest.h>

using namespace sevens;

namespace {

using Variables = std::map<std::string, std::string>;

Environment read(const Variables& more) {
    Variables variables = {{"ARENA_ADDRESS", "unix:/run/arena.sock"}, {"ARENA_TOKEN", "secret"}};
    for (const auto& [name, value] : more) {
        variables[name] = value;
    }
    return read_environment([&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

}  // namespace

TEST_CASE("the environment says where the arena is") {
    const Environment environment = read({});
    CHECK(environment.address == "unix:/run/arena.sock");
    CHECK(environment.token == "secret");
    CHECK_FALSE(environment.matches_at_once.has_value());
    CHECK_FALSE(environment.tls);
    CHECK(read({{"ARENA_MATCHES_AT_ONCE", "64"}}).matches_at_once == 64);
}

TEST_CASE("what is missing is named") {
    CHECK_THROWS_WITH_AS(read({{"ARENA_ADDRESS", ""}}),
                         "This bot is started by the arena; to try it, in its folder:"
                         " arena play xeri . builtin:random\n"
                         "(Not set in the environment: ARENA_ADDRESS.)",
                         WrongEnvironment);
    CHECK_THROWS_WITH_AS(read({{"ARENA_ADDRESS", ""}, {"ARENA_TOKEN", ""}}),
                         doctest::Contains("ARENA_ADDRESS, ARENA_TOKEN"), WrongEnvironment);
}

TEST_CASE("a wrong number of matches is explained") {
    for (const std::string text : {"0", "-1", "many", "8 9"}) {
        const std::string sentence =
            "The number of matches at once has to be 1 or more, not '" + text + "'.";
        CHECK_THROWS_WITH_AS(read({{"ARENA_MATCHES_AT_ONCE", text}}), sentence.c_str(),
                             WrongEnvironment);
    }
}

TEST_CASE("TLS is asked for with 1, and may trust a file") {
    CHECK(read({{"ARENA_TLS", "1"}}).tls);
    CHECK(read({{"ARENA_TLS", "1"}}).certificates == "");
    CHECK_FALSE(read({{"ARENA_TLS", "0"}}).tls);
    CHECK_THROWS_AS(read({{"ARENA_TLS", "yes"}}), WrongEnvironment);
    CHECK_THROWS_AS(read({{"ARENA_TLS", "1"}, {"ARENA_TLS_CA", "/nowhere.pem"}}), WrongEnvironment);
}
