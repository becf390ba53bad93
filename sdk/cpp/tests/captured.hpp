// Captures what a test prints to stderr.
#pragma once

#include <iostream>
#include <sstream>
#include <string>

namespace sevens {

/// While it lives, std::cerr writes to it.
class Captured {
public:
    Captured() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
    ~Captured() { std::cerr.rdbuf(before_); }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;

    std::string text() const { return text_.str(); }

private:
    std::ostringstream text_;
    std::streambuf* before_;
};

}  // namespace sevens
