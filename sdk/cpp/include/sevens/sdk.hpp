// All of the SDK that a bot needs.
#pragma once

#include <sevens/bot.hpp>
#include <sevens/decision.hpp>
#include <sevens/match.hpp>
#include <sevens/observation.hpp>
#include <sevens/random.hpp>
#include <sevens/run.hpp>
