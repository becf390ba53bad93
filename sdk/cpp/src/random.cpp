#include <sevens/random.hpp>

#include <bit>

namespace sevens {

Random::Random(std::seed_seq& seed) {
    std::array<std::uint32_t, 8> words{};
    seed.generate(words.begin(), words.end());
    for (std::size_t n = 0; n < state_.size(); ++n) {
        state_[n] = std::uint64_t{words[2 * n]} << 32 | words[2 * n + 1];
    }
}

Random::result_type Random::operator()() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

}  // namespace sevens
