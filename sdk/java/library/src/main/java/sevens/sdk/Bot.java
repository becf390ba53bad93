package sevens.sdk;

import java.util.Random;

/**
 * Plays one match at one seat: every match gets an object of its own. All its methods are called in
 * one thread, the one that called {@link Runner#run}.
 */
public abstract class Bot {
    private Match match;
    private Random random;

    /** Returns one of {@code decision.legal()}, or its index. */
    public abstract Choice choose(Decision decision) throws Exception;

    /** The match is about to begin: its clock does not run before this returns. */
    public void onStart() throws Exception {}

    /** The match is over. */
    public void onEnd(MatchEnd end) throws Exception {}

    /** The match. It is there from {@link #onStart} on, but not yet in the constructor. */
    public final Match match() {
        return match;
    }

    /**
     * A source of randomness, seeded anew before each decision with the seat's seed and the
     * decision's number. It is there from {@link #onStart} on, but not yet in the constructor.
     */
    public final Random random() {
        return random;
    }

    final void sit(Match match, Random random) {
        this.match = match;
        this.random = random;
    }
}
