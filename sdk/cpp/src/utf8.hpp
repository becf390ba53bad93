// Texts for the protocol, which accepts only valid UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sevens {

/// As much of a text as fits into `size` bytes of UTF-8, with a ? for each byte that is not part of
/// a character.
std::string cut(std::string_view text, std::size_t size);

}  // namespace sevens
