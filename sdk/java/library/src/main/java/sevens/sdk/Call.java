package sevens.sdk;

/**
 * A call of the bot's code, together with what is done with the result.
 *
 * @param task what it is, in a word
 * @param place where in the bot's matches it is
 */
record Call(String task, Object place, Body body) {
    interface Body {
        void run() throws Exception;
    }

    void make() throws BotFailure {
        try {
            body.run();
        } catch (Throwable failure) { // an OutOfMemoryError too is the bot's
            throw new BotFailure("This was the bot's " + task + " in " + place + ".", failure);
        }
    }
}
