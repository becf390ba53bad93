#include <sevens/decision.hpp>

#include "protocol.hpp"

namespace sevens {

Decision::Decision(const bot::v1::Decision& message, const Match& match, Random& random,
                   Instant arrived)
    : message_(message),
      match_(match),
      random_(random),
      arrived_(arrived),
      legal_(message.legal_actions().begin(), message.legal_actions().end()) {}

int Decision::number() const {
    return static_cast<int>(message_.number());
}

int Decision::seat() const {
    return static_cast<int>(message_.seat());
}

std::chrono::milliseconds Decision::time_left() const {
    const auto passed = std::chrono::steady_clock::now() - arrived_;
    return std::chrono::milliseconds(message_.time_left_ms()) -
           std::chrono::ceil<std::chrono::milliseconds>(passed);
}

Observation Decision::observation() const {
    return Observation(message_.observation());
}

std::vector<std::string> Decision::hand() const {
    return observation().cards("hand", seat());
}

std::vector<Event> Decision::events() const {
    std::vector<Event> events;
    events.reserve(message_.events().size());
    for (const auto& event : message_.events()) {
        events.push_back({.verb = event.verb(),
                          .actor = event.has_actor()
                                       ? std::optional(static_cast<int>(event.actor()))
                                       : std::nullopt,
                          .arguments = {event.arguments().begin(), event.arguments().end()}});
    }
    return events;
}

int Decision::events_left_out() const {
    return static_cast<int>(message_.events_left_out());
}

void Decision::note(std::string_view text) {
    if (!notes_.empty()) {
        notes_ += '\n';
    }
    notes_ += text;
}

std::string to_string(const Decision& decision) {
    return "decision " + std::to_string(decision.number()) + " of " + to_string(decision.match());
}

}  // namespace sevens
