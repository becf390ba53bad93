#include <sevens/observation.hpp>

#include <stdexcept>

#include "protocol.hpp"

namespace sevens {
namespace {

std::optional<int> owner_of(const protocol::Zone& zone) {
    return zone.has_owner() ? std::optional(static_cast<int>(zone.owner())) : std::nullopt;
}

Zone zone_of(const protocol::Zone& message) {
    return {.name = message.name(),
            .owner = owner_of(message),
            .cards = {message.cards().begin(), message.cards().end()},
            .hidden = static_cast<int>(message.hidden())};
}

Fact fact_of(const protocol::Fact& message) {
    return {.name = message.name(),
            .numbers = {message.numbers().begin(), message.numbers().end()},
            .words = {message.words().begin(), message.words().end()},
            .is_list = message.is_list()};
}

}  // namespace

int Fact::number() const {
    if (is_list || numbers.size() != 1) {
        throw std::logic_error("the fact '" + name + "' is not one number");
    }
    return numbers.front();
}

const std::string& Fact::word() const {
    if (is_list || words.size() != 1) {
        throw std::logic_error("the fact '" + name + "' is not one word");
    }
    return words.front();
}

std::vector<Zone> Observation::zones() const {
    std::vector<Zone> zones;
    zones.reserve(message_->zones().size());
    for (const auto& zone : message_->zones()) {
        zones.push_back(zone_of(zone));
    }
    return zones;
}

Zone Observation::zone(std::string_view name, std::optional<int> owner) const {
    for (const auto& zone : message_->zones()) {
        if (zone.name() == name && owner_of(zone) == owner) return zone_of(zone);
    }
    return {.name = std::string(name), .owner = owner, .cards = {}};
}

std::vector<std::string> Observation::cards(std::string_view name, std::optional<int> owner) const {
    return zone(name, owner).cards;
}

std::vector<Fact> Observation::facts() const {
    std::vector<Fact> facts;
    facts.reserve(message_->facts().size());
    for (const auto& fact : message_->facts()) {
        facts.push_back(fact_of(fact));
    }
    return facts;
}

Fact Observation::fact(std::string_view name) const {
    std::string names;
    for (const auto& fact : message_->facts()) {
        if (fact.name() == name) return fact_of(fact);
        names += (names.empty() ? "" : ", ") + fact.name();
    }
    throw std::out_of_range("there is no fact '" + std::string(name) +
                            "' here, only: " + (names.empty() ? "none" : names));
}

}  // namespace sevens
