// The types generated from proto/.
#pragma once

#include <sevens/bot/v1/bot_service.pb.h>
#include <sevens/bot/v1/decision.pb.h>
#include <sevens/bot/v1/match.pb.h>
#include <sevens/bot/v1/observation.pb.h>

namespace sevens {

namespace protocol = bot::v1;

}  // namespace sevens
