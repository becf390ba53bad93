package sevens.sdk;

/** The arena does not want this bot, or cannot be reached any more; the message says why. */
final class NoArena extends Exception {
    private static final long serialVersionUID = 1;

    NoArena(String sentence) {
        super(sentence);
    }
}
