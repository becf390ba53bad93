// Xeri: captures whatever is worth it, and otherwise lays the card that is safest to leave.
//
// The idea: a card on top of the pile is safe if few cards of its rank are unseen, as only those
// (and jacks) can capture it. On an empty pile that matters most: the opponent's capture would be a
// xeri.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sevens/sdk.hpp>

using Cards = std::vector<std::string>;
using Counts = std::map<char, int>;  // by rank

// In tenths of a point, so that sums are exact and ties are ties.
constexpr int xeri = 100;
constexpr int jack_kept_for = 30;  // a jack is worth keeping for a pile worth more than this

char rank(std::string_view card) {
    return card.front();
}

// Returns the tenths of a point for a won card; 3 points for most cards add about one to each.
int worth(const std::string& card) {
    const bool court = std::string_view("AKQJT").find(rank(card)) != std::string_view::npos;
    return (court ? 10 : 0) + (card == "TD" || card == "2C" ? 10 : 0) + 1;
}

// Returns the number of cards of each rank that the bot has not seen in this deal.
Counts unseen_ranks(const sevens::Decision& decision) {
    Counts unseen;
    for (const char each : std::string_view("A23456789TJQK")) {
        unseen[each] = 4;
    }
    for (const std::string& card : decision.hand()) {
        --unseen[rank(card)];
    }
    for (const sevens::Zone& zone : decision.observation().zones()) {
        if (zone.name != "pile" && zone.name != "won") continue;
        for (const std::string& card : zone.cards) {
            --unseen[rank(card)];
        }
    }
    return unseen;
}

// Returns the gain of playing the card now, less its expected cost.
double value(const std::string& card, const Cards& pile, const Counts& unseen) {
    int taken = worth(card);
    for (const std::string& other : pile) {
        taken += worth(other);
    }
    const bool jack = rank(card) == 'J';
    const bool pair = !pile.empty() && rank(card) == rank(pile.back());
    if (pair || (jack && !pile.empty())) {
        const int bonus = pair && pile.size() == 1 ? xeri : 0;
        return taken + bonus - (jack ? jack_kept_for : 0);
    }
    const int lost = taken + (pile.empty() ? xeri : 0);
    return -unseen.at(rank(card)) * lost / 4.0 - (jack ? jack_kept_for : 0);
}

class XeriFisher : public sevens::Bot {
    sevens::Choice choose(sevens::Decision& decision) override {
        const Counts unseen = unseen_ranks(decision);
        const Cards pile = decision.observation().cards("pile");
        const auto by_value = [&](const std::string& one, const std::string& other) {
            return value(card_of(one), pile, unseen) < value(card_of(other), pile, unseen);
        };
        return *std::max_element(decision.legal().begin(), decision.legal().end(), by_value);
    }

    // Returns the card that an action plays: "7S" for "play 7S".
    static std::string card_of(const std::string& action) {
        return action.substr(action.find(' ') + 1);
    }
};

int main() {
    return sevens::run<XeriFisher>({.games = {"xeri"}});
}
