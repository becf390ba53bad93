#include "answer.hpp"

#include <algorithm>
#include <iostream>

#include "utf8.hpp"

namespace sevens {
namespace {

constexpr std::size_t note_bytes = 1024;
constexpr std::size_t text_bytes = 256;
// The number of legal actions that a warning names.
constexpr std::size_t actions_named = 20;

void warn_of_illegal(const Decision& decision, const std::string& choice) {
    const auto& legal = decision.legal();
    const std::size_t named = std::min(legal.size(), actions_named);
    std::string list;
    for (std::size_t n = 0; n < named; ++n) {
        list += (n == 0 ? "'" : ", '") + legal[n] + "'";
    }
    if (legal.size() > named) {
        list += " and " + std::to_string(legal.size() - named) + " more";
    }
    warn("The bot chose " + choice + ", which is not legal, in " + to_string(decision) +
         ". Legal: " + list + ".");
}

void set_text(protocol::Answer& answer, const Decision& decision, const std::string& text) {
    const auto& legal = decision.legal();
    if (std::find(legal.begin(), legal.end(), text) != legal.end()) {
        answer.set_text(text);
        return;
    }
    warn_of_illegal(decision, "'" + text + "'");
    answer.set_text(cut(text, text_bytes));
}

void set_index(protocol::Answer& answer, const Decision& decision, std::int64_t index) {
    if (index >= 0 && static_cast<std::size_t>(index) < decision.legal().size()) {
        answer.set_index(static_cast<std::uint32_t>(index));
        return;
    }
    warn_of_illegal(decision, std::to_string(index));
    // As text, because the protocol's index cannot be negative.
    answer.set_text(std::to_string(index));
}

}  // namespace

protocol::Answer answer_to(const Decision& decision, const Choice& choice) {
    protocol::Answer answer;
    answer.set_match_id(decision.match().id);
    answer.set_number(decision.message().number());
    if (const auto* text = std::get_if<std::string>(&choice.value())) {
        set_text(answer, decision, *text);
    } else {
        set_index(answer, decision, std::get<std::int64_t>(choice.value()));
    }
    if (!decision.notes().empty()) {
        answer.set_note(cut(decision.notes(), note_bytes));
    }
    return answer;
}

void warn(std::string_view sentence) {
    std::cerr << sentence << std::endl;
}

}  // namespace sevens
