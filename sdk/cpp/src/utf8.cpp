#include "utf8.hpp"

#include <algorithm>

namespace sevens {
namespace {

// The length in bytes of a character, by its first byte, and the bounds of its second byte. They
// exclude overlong forms, halves of surrogate pairs, and code points beyond Unicode (table 3-7 of
// the Unicode Standard). Length 0: no character begins with this byte.
struct Form {
    std::size_t length;
    unsigned char lowest = 0x80;
    unsigned char highest = 0xBF;
};

Form form_of(unsigned char first) {
    if (first < 0x80) return {1};
    if (first < 0xC2) return {0};
    if (first < 0xE0) return {2};
    if (first == 0xE0) return {3, 0xA0, 0xBF};
    if (first == 0xED) return {3, 0x80, 0x9F};
    if (first < 0xF0) return {3};
    if (first == 0xF0) return {4, 0x90, 0xBF};
    if (first < 0xF4) return {4};
    if (first == 0xF4) return {4, 0x80, 0x8F};
    return {0};
}

// The length of the character that a text begins with; 0 if that is not a valid one.
std::size_t character(std::string_view text) {
    const auto byte = [text](std::size_t n) { return static_cast<unsigned char>(text[n]); };
    const Form form = form_of(byte(0));
    if (form.length > text.size()) return 0;
    for (std::size_t n = 1; n < form.length; ++n) {
        const unsigned char lowest = n == 1 ? form.lowest : 0x80;
        const unsigned char highest = n == 1 ? form.highest : 0xBF;
        if (byte(n) < lowest || byte(n) > highest) return 0;
    }
    return form.length;
}

}  // namespace

std::string cut(std::string_view text, std::size_t size) {
    std::string fitting;
    while (!text.empty()) {
        const std::size_t length = character(text);
        const std::size_t taken = std::max<std::size_t>(1, length);
        if (fitting.size() + taken > size) break;
        fitting += length == 0 ? "?" : text.substr(0, length);
        text.remove_prefix(taken);
    }
    return fitting;
}

}  // namespace sevens
