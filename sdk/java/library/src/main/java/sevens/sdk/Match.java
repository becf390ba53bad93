package sevens.sdk;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import sevens.bot.v1.Match.MatchStart;

/**
 * The facts of a match, as one seat receives them at its beginning.
 *
 * @param options every option of the game as text: integers in decimal, booleans "true" and "false"
 * @param teams the team of each seat, by seat
 * @param seed the seat's own 32 random bytes
 * @param commitment SHA-256 of the secret behind the deals; empty if they follow a known seed
 * @param resumed whether the match had begun before, in a process or on a connection that was lost
 */
public record Match(
        String id,
        String game,
        int rulesVersion,
        Map<String, String> options,
        int seat,
        List<Integer> teams,
        Clock clock,
        ByteString seed,
        ByteString commitment,
        boolean resumed) {

    public int players() {
        return teams.size();
    }

    static Match of(MatchStart start) {
        return new Match(
                start.getMatchId(),
                start.getGame(),
                start.getRulesVersion(),
                start.getOptionsMap(),
                start.getSeat(),
                start.getTeamsList(),
                new Clock(
                        milliseconds(start.getClock().getBankMs()),
                        milliseconds(start.getClock().getIncrementMs())),
                start.getSeed(),
                start.getCommitment(),
                start.getResumed());
    }

    static Duration milliseconds(int unsigned) {
        return Duration.ofMillis(Integer.toUnsignedLong(unsigned));
    }

    @Override
    public String toString() {
        return "match " + id + " (" + game + "), seat " + seat;
    }
}
