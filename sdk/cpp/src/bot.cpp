#include <sevens/bot.hpp>

#include <stdexcept>

namespace sevens {
namespace {

template <typename Thing>
Thing& known(Thing* thing, const char* name) {
    if (thing == nullptr) {
        throw std::logic_error(std::string(name) +
                               " is not known in the bot's constructor; use it in on_start");
    }
    return *thing;
}

}  // namespace

const Match& Bot::match() const {
    return known(match_, "match()");
}

Random& Bot::random() const {
    return known(random_, "random()");
}

}  // namespace sevens
