#include "crash.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <typeinfo>

namespace sevens {
namespace {

constexpr std::size_t deepest = 32;

thread_local const void* bottom = nullptr;

// The addresses from which functions were called, innermost first. Collected without memory from
// the heap, which may be corrupt.
struct Stack {
    std::array<std::uintptr_t, deepest> calls{};
    std::size_t depth = 0;

    void take() {
        depth = 0;
        _Unwind_Backtrace(add, this);
    }

private:
    static _Unwind_Reason_Code add(_Unwind_Context* context, void* stack) {
        auto& self = *static_cast<Stack*>(stack);
        const auto frame = _Unwind_GetCFA(context);
        const bool below = bottom != nullptr && frame > reinterpret_cast<std::uintptr_t>(bottom);
        if (below || self.depth == deepest) return _URC_END_OF_STACK;
        int before_instruction = 0;
        const auto address = _Unwind_GetIPInfo(context, &before_instruction);
        // A call precedes its return address; an instruction hit by a signal is at the address.
        self.calls[self.depth++] = before_instruction != 0 ? address : address - 1;
        return _URC_NO_REASON;
    }
};

thread_local Stack thrown_at;

// A place in the program, as a file and an offset for addr2line, and its function if known.
struct Place {
    const char* file = "?";
    std::uintptr_t offset = 0;
    const char* function = nullptr;
};

Place place_of(std::uintptr_t address) {
    Dl_info info{};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): dladdr wants the unwinder's numbers as pointers
    if (dladdr(reinterpret_cast<const void*>(address), &info) == 0 || info.dli_fname == nullptr) {
        return {.offset = address};
    }
    const char* slash = std::strrchr(info.dli_fname, '/');
    return {.file = slash != nullptr ? slash + 1 : info.dli_fname,
            .offset = address - reinterpret_cast<std::uintptr_t>(info.dli_fbase),
            .function = info.dli_sname};
}

std::string readable(const char* name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return text ? text.get() : name;
}

std::string line_for(std::uintptr_t address) {
    const Place place = place_of(address);
    std::array<char, 32> offset{};
    std::snprintf(offset.data(), offset.size(), "%#zx", static_cast<std::size_t>(place.offset));
    const std::string function = place.function != nullptr ? " " + readable(place.function) : "";
    return "  at " + std::string(place.file) + " " + offset.data() + function + "\n";
}

std::string text_of_current_exception() {
    try {
        throw;
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (const std::string& text) {
        return text;
    } catch (const char* text) {
        return text;
    } catch (...) {
        return "";
    }
}

}  // namespace

std::string current_exception() {
    // Copied before anything is rethrown here.
    const Stack stack = thrown_at;
    const std::type_info* type = abi::__cxa_current_exception_type();
    std::string account;
    for (std::size_t n = stack.depth; n > 0; --n) {
        account += line_for(stack.calls[n - 1]);
    }
    account += type != nullptr ? readable(type->name()) : "an exception of no C++ type";
    if (const std::string text = text_of_current_exception(); !text.empty()) {
        account += ": " + text;
    }
    return account;
}

// Signals -----------------------------------------------------------------------------------------

namespace {

std::atomic<const char*> last_words = nullptr;

// Room for the signal handler when the bot has used up its stack.
alignas(16) std::array<char, 65'536> signal_stack;

// Of the functions used below, only snprintf and dladdr are not guaranteed to work in a signal
// handler. As used here, they take no lock and allocate no memory.
void tell(const char* text) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // nobody reads stderr
}

void on_crash(int number) {
    std::array<char, 512> line{};
    Stack stack;
    stack.take();
    for (std::size_t n = stack.depth; n > 0; --n) {
        const Place place = place_of(stack.calls[n - 1]);
        std::snprintf(line.data(), line.size(), "  at %s %#zx %s\n", place.file,
                      static_cast<std::size_t>(place.offset),
                      place.function != nullptr ? place.function : "");
        tell(line.data());
    }
    std::snprintf(line.data(), line.size(), "%s (signal %d)\n", sigdescr_np(number), number);
    tell(line.data());
    if (const char* words = last_words.load()) {
        tell(words);
        tell("\n");
    }
    // The handler is reset by now, so the signal has its default effect.
    std::raise(number);
}

}  // namespace

void announce_signals() {
    stack_t stack{};
    stack.ss_sp = signal_stack.data();
    stack.ss_size = signal_stack.size();
    sigaltstack(&stack, nullptr);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        struct sigaction action {};
        sigaction(number, nullptr, &action);
        // Sanitizers have handlers with better reports.
        if (action.sa_handler != SIG_DFL) continue;
        action.sa_handler = on_crash;
        action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
        sigaction(number, &action, nullptr);
    }
}

LastWords::LastWords(std::string text, const void* bottom_of_stack) : text_(std::move(text)) {
    last_words = text_.c_str();
    bottom = bottom_of_stack;
}

LastWords::~LastWords() {
    bottom = nullptr;
    last_words = nullptr;
}

}  // namespace sevens

// Every throw passes through here (CMakeLists.txt asks the linker for it): when an exception is
// caught, the stack it was thrown from has been unwound. The linker prescribes the names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
[[noreturn]] void __real___cxa_throw(void* exception, std::type_info* type, void (*destroy)(void*));

[[noreturn]] void __wrap___cxa_throw(void* exception, std::type_info* type,
                                     void (*destroy)(void*)) {
    sevens::thrown_at.take();
    __real___cxa_throw(exception, type, destroy);
}
}
// NOLINTEND(bugprone-reserved-identifier)
