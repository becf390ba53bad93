package sevens.sdk;

/** What a bot chooses: a legal action's text, or its index in {@link Decision#legal}. */
public sealed interface Choice {
    /** By its text, to the letter. */
    record Text(String text) implements Choice {
        public Text {
            if (text == null) {
                throw new NullPointerException("the bot chose an action whose text is null");
            }
        }
    }

    /** By its place, from 0. */
    record Index(int index) implements Choice {}

    static Choice of(String text) {
        return new Text(text);
    }

    static Choice of(int index) {
        return new Index(index);
    }
}
