package sevens.sdk;

/** The arena has refused this bot, or can no longer be reached; the message says why. */
final class NoArena extends Exception {
    private static final long serialVersionUID = 1;

    NoArena(String sentence) {
        super(sentence);
    }
}
