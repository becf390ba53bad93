package sevens.sdk;

/**
 * A call of the bot's code, together with the use of its result.
 *
 * @param task a word for it, such as "choice"
 * @param place the match or decision it belongs to
 */
record Call(String task, Object place, Body body) {
    interface Body {
        void run() throws Exception;
    }

    void make() throws BotFailure {
        try {
            body.run();
        } catch (Throwable failure) { // even an OutOfMemoryError is the bot's
            throw new BotFailure("This was the bot's " + task + " in " + place + ".", failure);
        }
    }
}
