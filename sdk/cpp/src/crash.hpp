// Reports of failures in the bot's code, so that its author finds the place.
#pragma once

#include <string>

namespace sevens {

/// The exception being handled: its type, its text, and the stack from which it was thrown. For a
/// catch block.
std::string current_exception();

/// Makes signals such as SIGSEGV report what was running before they end the process.
void announce_signals();

/// While it lives, a signal reports its text as what was running. `bottom`, from
/// __builtin_frame_address(0): calls below that place on the stack are not the bot's, and left out.
class LastWords {
public:
    LastWords(std::string text, const void* bottom);
    ~LastWords();
    LastWords(const LastWords&) = delete;
    LastWords& operator=(const LastWords&) = delete;

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace sevens
