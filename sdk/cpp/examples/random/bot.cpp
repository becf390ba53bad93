// Chooses any legal action, in every game.

#include <sevens/sdk.hpp>

class RandomBot : public sevens::Bot {
    sevens::Choice choose(sevens::Decision& decision) override {
        return random().choice(decision.legal());
    }
};

int main() {
    return sevens::run<RandomBot>();
}
