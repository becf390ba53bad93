// Plays as many cards as it can, first those that match the table. Knows no game, plays every one.

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include <sevens/sdk.hpp>

/// One object plays one match at one seat.
class MyBot : public sevens::Bot {
    sevens::Choice choose(sevens::Decision& decision) override {
        const auto seen = decision.observation();  // what your seat may see: zones and facts
        const auto hand = decision.hand();         // your cards, such as "7S", rank first
        std::set<char> table;  // the ranks on top of the zones that belong to nobody
        for (const auto& zone : seen.zones())
            if (!zone.owner && !zone.cards.empty()) table.insert(zone.cards.back().front());
        int more = 1;
        for (const auto& fact : seen.facts())  // a pass says the least
            if (fact.name == "phase" && (fact.word() == "auction" || fact.word() == "bidding"))
                more = -1;

        const auto worth = [&](const std::string& action) {
            int sum = 0;
            std::istringstream words(action);  // a verb and what it is done with: "play 7S"
            for (std::string word; words >> word;) {
                const bool mine = std::ranges::find(hand, word) != hand.end();
                sum += more + (mine ? 100 : 0) + (mine && table.contains(word.front()) ? 10 : 0);
            }
            return sum;
        };

        auto legal = decision.legal();
        std::ranges::shuffle(legal, random());  // equals in any order
        const auto best = *std::ranges::max_element(legal, {}, worth);
        decision.note(best + " is worth " + std::to_string(worth(best)));  // for `arena log`
        return best;
    }
};

int main() {
    return sevens::run<MyBot>();
}
