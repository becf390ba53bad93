package sevens.sdk;

import java.util.List;

/**
 * The end of a match.
 *
 * @param scores the final score of each seat, by seat
 * @param ranks the rank of each seat, by seat: 1 is best, equal ranks are ties
 * @param reason the game's own word for what ended it, or "abandoned"
 */
public record MatchEnd(
        List<Integer> scores, List<Integer> ranks, String reason, List<Fault> faults) {

    static MatchEnd of(sevens.bot.v1.Match.MatchEnd end) {
        return new MatchEnd(
                end.getScoresList(),
                end.getRanksList(),
                end.getReason(),
                end.getFaultsList().stream().map(Fault::of).toList());
    }
}
