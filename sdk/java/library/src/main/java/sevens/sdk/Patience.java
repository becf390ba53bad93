package sevens.sdk;

import java.io.PrintStream;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The backoff after a stream breaks: the bot tries again, ever more slowly. An arena that is not on
 * this machine may be away for minutes, and is never given up.
 */
final class Patience {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** At first, when a match may be waiting for the bot, and after QUICK_FOR. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    private static final Duration QUICK_FOR = Duration.ofSeconds(30);
    private static final Duration LONGEST_LATER = Duration.ofSeconds(30);

    /** If a socket on this machine does not answer, its arena has almost certainly ended. */
    private static final Duration LIMIT_HERE = Duration.ofSeconds(2);

    /** After a stream that held this long, the time is counted from zero again. */
    private static final Duration GOOD_STREAM = Duration.ofSeconds(5);

    private final Address address;
    private final LongSupplier nanoTime;
    private final PrintStream warnings;
    private OptionalLong brokenAt = OptionalLong.empty();
    private Duration longest = FIRST_PAUSE;

    Patience(Address address, LongSupplier nanoTime, PrintStream warnings) {
        this.address = address;
        this.nanoTime = nanoTime;
        this.warnings = warnings;
    }

    /** Returns the time to wait before the next attempt. Throws NoArena to give up. */
    Duration after(OptionalLong welcomedAt, String reason) throws NoArena {
        long now = nanoTime.getAsLong();
        boolean held =
                welcomedAt.isPresent() && now - welcomedAt.getAsLong() > GOOD_STREAM.toNanos();
        if (held || brokenAt.isEmpty()) {
            brokenAt = OptionalLong.of(now);
            longest = FIRST_PAUSE;
            if (!address.isOnThisMachine()) {
                warnings.printf(
                        "The arena at %s cannot be reached (%s). Trying until it answers.%n",
                        address.text(), reason);
            }
        }
        // A random share, so that an arena's bots do not all try at the same moment.
        double share = ThreadLocalRandom.current().nextDouble(0.7, 1.0);
        Duration pause = Duration.ofNanos((long) (share * longest.toNanos()));
        Duration broken = Duration.ofNanos(now - brokenAt.getAsLong());
        if (address.isOnThisMachine() && broken.plus(pause).compareTo(LIMIT_HERE) > 0) {
            throw new NoArena(
                    "The arena at %s has been out of reach for %.0f s (limit: %d s): %s."
                            .formatted(
                                    address.text(),
                                    broken.toMillis() / 1000.0,
                                    LIMIT_HERE.toSeconds(),
                                    reason));
        }
        Duration most = broken.compareTo(QUICK_FOR) < 0 ? LONGEST_PAUSE : LONGEST_LATER;
        longest = longest.multipliedBy(2);
        if (longest.compareTo(most) > 0) {
            longest = most;
        }
        return pause;
    }
}
