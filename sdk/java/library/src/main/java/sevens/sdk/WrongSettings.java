package sevens.sdk;

/** The environment does not tell where the arena is; the message says what is missing. */
final class WrongSettings extends Exception {
    private static final long serialVersionUID = 1;

    WrongSettings(String sentence) {
        super(sentence);
    }
}
