// Everything that a bot needs from the SDK.
#pragma once

#include <sevens/bot.hpp>
#include <sevens/decision.hpp>
#include <sevens/match.hpp>
#include <sevens/observation.hpp>
#include <sevens/random.hpp>
#include <sevens/run.hpp>
