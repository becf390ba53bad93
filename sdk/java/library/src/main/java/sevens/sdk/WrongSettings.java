package sevens.sdk;

/** The environment does not say where the arena is; the message names what is missing or wrong. */
final class WrongSettings extends Exception {
    private static final long serialVersionUID = 1;

    WrongSettings(String sentence) {
        super(sentence);
    }
}
