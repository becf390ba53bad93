package sevens.sdk;

import java.util.Random;

/**
 * Plays one match at one seat. Every match gets its own object. All its methods are called in one
 * thread, the one that called {@link Runner#run}.
 */
public abstract class Bot {
    private Match match;
    private Random random;

    /** Returns one of {@code decision.legal()}, or its index. */
    public abstract Choice choose(Decision decision) throws Exception;

    /** Called before the match begins. Its clock does not run until this returns. */
    public void onStart() throws Exception {}

    /** Called when the match is over. */
    public void onEnd(MatchEnd end) throws Exception {}

    /** Returns the match. It exists from {@link #onStart} on, but not yet in the constructor. */
    public final Match match() {
        return match;
    }

    /**
     * Returns a source of randomness, reseeded before each decision with the seat's seed and the
     * decision's number. It exists from {@link #onStart} on, but not yet in the constructor.
     */
    public final Random random() {
        return random;
    }

    final void sit(Match match, Random random) {
        this.match = match;
        this.random = random;
    }
}
