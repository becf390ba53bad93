package sevens.sdk;

/** A bot's choice: a legal action's text, or its index in {@link Decision#legal}. */
public sealed interface Choice {
    /** A choice by the action's exact text. */
    record Text(String text) implements Choice {
        public Text {
            if (text == null) {
                throw new NullPointerException("the bot chose an action whose text is null");
            }
        }
    }

    /** A choice by the action's index, from 0. */
    record Index(int index) implements Choice {}

    static Choice of(String text) {
        return new Text(text);
    }

    static Choice of(int index) {
        return new Index(index);
    }
}
