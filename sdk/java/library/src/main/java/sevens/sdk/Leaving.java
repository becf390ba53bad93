package sevens.sdk;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ctrl-C and SIGTERM: at the first the bot asks to be let go, at the second the process ends. */
final class Leaving {
    private static final int INT = 2;
    private static final int TERM = 15;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final Session session;

    /** Java handles every signal in a thread of its own, so the second may overtake the first. */
    private final AtomicBoolean signalled = new AtomicBoolean();

    /** Wakes the bot's thread if it waits for a frame. */
    private volatile Runnable onLeave = () -> {};

    Leaving(Session session) {
        this.session = session;
    }

    /** Handles the signals of this process. */
    void listen() {
        handle("INT", INT);
        handle("TERM", TERM);
    }

    /** Returns whether the bot is to leave. */
    boolean asked() {
        return asked.getCount() == 0;
    }

    /** Waits for some time; a bot that is asked to leave meanwhile does not wait any longer. */
    void sleep(long milliseconds) throws InterruptedException {
        if (asked()) {
            Thread.sleep(milliseconds);
        } else {
            asked.await(milliseconds, TimeUnit.MILLISECONDS);
        }
    }

    void onLeave(Runnable action) {
        onLeave = action;
    }

    /** Asks the bot to leave. */
    void ask() {
        int count = session.matches();
        if (count > 0) {
            String matches = count == 1 ? "1 match" : count + " matches";
            System.err.println(
                    "Leaving after " + matches + "; press Ctrl-C again to stop at once.");
        }
        asked.countDown();
        onLeave.run();
    }

    private void signalled(int number) {
        if (signalled.getAndSet(true) || session.goodbye()) {
            System.out.flush();
            Runtime.getRuntime().halt(128 + number);
        }
        ask();
    }

    /**
     * Replaces Java's own handler, which begins to end the process at the first signal and ignores
     * the second. Its class is outside the standard, and not everywhere; there Java's stays.
     */
    private void handle(String name, int number) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(
                            handler.getClassLoader(),
                            new Class<?>[] {handler},
                            (self, method, arguments) -> {
                                if (method.getName().equals("handle")) {
                                    signalled(number);
                                    return null;
                                }
                                return method.getName().equals("hashCode") ? (Object) number : null;
                            });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException missing) {
            // as said above
        }
    }
}
