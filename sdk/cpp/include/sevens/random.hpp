// A bot's source of randomness.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>

namespace sevens {

/// xoshiro256** by Blackman and Vigna (public domain). It is reseeded before each decision; with
/// the standard library's good generator, that takes longer than many bots think.
///
/// Works with all of <random>, and with std::shuffle and std::sample.
class Random {
public:
    using result_type = std::uint64_t;

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    Random() = default;
    explicit Random(std::seed_seq& seed);

    result_type operator()();

    /// One of the items, all equally likely. There must be at least one.
    template <typename Items>
    const auto& choice(const Items& items) {
        return items[std::uniform_int_distribution<std::size_t>(0, items.size() - 1)(*this)];
    }

private:
    std::array<std::uint64_t, 4> state_ = {1, 2, 3, 4};
};

}  // namespace sevens
