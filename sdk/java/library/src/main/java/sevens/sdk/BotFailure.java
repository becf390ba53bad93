package sevens.sdk;

import java.io.PrintStream;
import java.util.stream.Stream;

/** The bot's code has thrown the cause; the message names the match. */
final class BotFailure extends Exception {
    private static final long serialVersionUID = 1;

    BotFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Prints the failure for the bot's author. The most important lines come last, because the
     * arena quotes the last lines. The SDK's own stack frames are left out.
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
