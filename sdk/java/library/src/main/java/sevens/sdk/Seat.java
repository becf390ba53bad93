package sevens.sdk;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import sevens.bot.v1.DecisionOuterClass.Answer;

/** A seat of a match that this bot plays. */
final class Seat {
    final Match match;
    final Random random = new Random();

    /** The bot's object, created when the match starts; null until then. */
    Bot bot;

    /** True once {@code onStart} is done. */
    boolean ready;

    /** The latest stream on which the arena named the match. */
    int stream;

    /** The latest decision asked for. */
    int number = Session.ACCEPTANCE;

    /** The answer to it; null until there is one. */
    Answer answer;

    Seat(Match match) {
        this.match = match;
    }

    /**
     * Reseeds the randomness for a decision. Earlier draws do not matter: a process that takes over
     * in the middle of a match must give the same answers.
     */
    void seed(int number) {
        MessageDigest digest = sha256();
        digest.update(match.seed().asReadOnlyByteBuffer());
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
        random.setSeed(ByteBuffer.wrap(digest.digest()).getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) { // every Java has it
            throw new AssertionError(impossible);
        }
    }
}
