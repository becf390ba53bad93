package sevens.sdk;

import com.google.protobuf.ByteString;
import java.util.List;
import sevens.bot.v1.BotServiceOuterClass.ArenaFrame;
import sevens.bot.v1.BotServiceOuterClass.Goodbye;
import sevens.bot.v1.BotServiceOuterClass.Welcome;
import sevens.bot.v1.DecisionOuterClass;
import sevens.bot.v1.Match.ClockSettings;
import sevens.bot.v1.Match.MatchStart;

/** An arena's frames in tests. */
final class Frames {
    static final List<String> LEGAL = List.of("play 7S", "play 8S", "pass");

    private Frames() {}

    static ArenaFrame welcome(int frameLimitBytes) {
        Welcome.Builder welcome =
                Welcome.newBuilder().setProtocol(1).setFrameLimitBytes(frameLimitBytes);
        return ArenaFrame.newBuilder().setWelcome(welcome).build();
    }

    static ArenaFrame goodbye() {
        return ArenaFrame.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build();
    }

    static ArenaFrame starts(String... matches) {
        return starts(false, matches);
    }

    static ArenaFrame resumed(String... matches) {
        return starts(true, matches);
    }

    private static ArenaFrame starts(boolean resumed, String... matches) {
        ArenaFrame.Builder frame = ArenaFrame.newBuilder();
        for (String match : matches) {
            frame.addStarts(start(match).setResumed(resumed));
        }
        return frame.build();
    }

    static MatchStart.Builder start(String match) {
        byte[] seed = new byte[32];
        for (byte place = 0; place < seed.length; place++) {
            seed[place] = place;
        }
        return MatchStart.newBuilder()
                .setMatchId(match)
                .setGame("xeri")
                .setSeat(1)
                .addAllTeams(List.of(0, 1, 0, 1))
                .setClock(ClockSettings.newBuilder().setBankMs(60_000).setIncrementMs(200))
                .setSeed(ByteString.copyFrom(seed));
    }

    static ArenaFrame decisions(DecisionOuterClass.Decision.Builder... decisions) {
        ArenaFrame.Builder frame = ArenaFrame.newBuilder();
        for (DecisionOuterClass.Decision.Builder decision : decisions) {
            frame.addDecisions(decision);
        }
        return frame.build();
    }

    static DecisionOuterClass.Decision.Builder decision(String match, int number) {
        return DecisionOuterClass.Decision.newBuilder()
                .setMatchId(match)
                .setNumber(number)
                .setSeat(1)
                .setTimeLeftMs(60_200)
                .addAllLegalActions(LEGAL);
    }

    static ArenaFrame end(String match) {
        return ArenaFrame.newBuilder()
                .addEnds(sevens.bot.v1.Match.MatchEnd.newBuilder().setMatchId(match))
                .build();
    }
}
