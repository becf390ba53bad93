// A seat's view of the game, in the same form for every game: zones with cards, and facts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sevens::bot::v1 {
class Observation;
}

namespace sevens {

/// A place for cards.
struct Zone {
    std::string name;
    std::optional<int> owner;        // the seat that it belongs to, if any
    std::vector<std::string> cards;  // those that the seat sees, in the zone's order if it has one
    int hidden = 0;                  // the number of cards that the seat does not see
};

/// One thing that a seat knows: a number, a word, or a list of numbers or of words.
struct Fact {
    std::string name;
    std::vector<int> numbers;
    std::vector<std::string> words;
    bool is_list = false;

    /// The value of a fact that is one number, or one word. Throws std::logic_error if it is
    /// something else.
    int number() const;
    const std::string& word() const;
};

/// Something that happened, as the seat may know it.
struct Event {
    std::string verb;
    std::optional<int> actor;            // the seat that did it, or that it happened to
    std::vector<std::string> arguments;  // cards, numbers and words
};

/// All that the seat may see. `arena games show SLUG` explains the zones and facts of a game.
///
/// A view of the decision's message: each call reads the message again, and none works after
/// `choose` has returned.
class Observation {
public:
    explicit Observation(const bot::v1::Observation& message) : message_(&message) {}

    std::vector<Zone> zones() const;
    /// The zone of that name and owner; an empty one if there is none now.
    Zone zone(std::string_view name, std::optional<int> owner = {}) const;
    /// The cards that the seat sees in the zone of that name and owner.
    std::vector<std::string> cards(std::string_view name, std::optional<int> owner = {}) const;

    std::vector<Fact> facts() const;
    /// The fact of that name. If there is none, throws std::out_of_range with the names that exist.
    Fact fact(std::string_view name) const;

    const bot::v1::Observation& message() const { return *message_; }

private:
    const bot::v1::Observation* message_;
};

}  // namespace sevens
