package sevens.sdk;

import java.io.PrintStream;
import java.util.stream.Stream;

/** The bot's code has thrown the cause; the message tells in which match. */
final class BotFailure extends Exception {
    private static final long serialVersionUID = 1;

    BotFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Prints what the bot's author has to read. The most telling comes last, because the arena
     * quotes the last lines; and how the SDK came to call the bot is left out.
     */
    void print(PrintStream out) {
        for (Throwable thrown = getCause(); thrown != null; thrown = thrown.getCause()) {
            thrown.setStackTrace(
                    Stream.of(thrown.getStackTrace())
                            .takeWhile(at -> !at.getClassName().equals(Session.class.getName()))
                            .toArray(StackTraceElement[]::new));
        }
        getCause().printStackTrace(out);
        out.println(getMessage());
        out.println(getCause());
    }
}
