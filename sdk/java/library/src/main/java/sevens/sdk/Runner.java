package sevens.sdk;

import io.grpc.ManagedChannel;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import sevens.bot.v1.BotServiceOuterClass.Hello;

/** Runs a bot in the process started by an arena or by the bot's author. */
public final class Runner {
    public static final String VERSION = "0.1.0";

    private static final int EXIT_FAILURE = 1;
    private static final int EXIT_USAGE = 2;
    private static final int EXIT_NO_ARENA = 3;

    private final Supplier<? extends Bot> bots;
    private List<String> games = List.of();
    private int matchesAtOnce = 1;
    private boolean ownSignals;

    /**
     * @param bots creates the bot's object for a match: {@code MyBot::new}
     */
    public Runner(Supplier<? extends Bot> bots) {
        this.bots = bots;
    }

    /** Sets the slugs of the games that the bot plays. The default is every game. */
    public Runner games(String... slugs) {
        games = List.of(slugs);
        return this;
    }

    /**
     * Sets the number of matches that the bot takes at a time. The default is 1.
     * ARENA_MATCHES_AT_ONCE in the environment takes precedence.
     */
    public Runner matchesAtOnce(int number) {
        matchesAtOnce = number;
        return this;
    }

    /** Leaves SIGINT and SIGTERM to the program. */
    public Runner ownSignals() {
        ownSignals = true;
        return this;
    }

    /**
     * Plays until the arena says goodbye. At the first Ctrl-C or SIGTERM the bot asks for that, and
     * plays its matches to their end; the second one ends the process at once. Ends the process
     * with an exit code other than 0 if the bot's code fails (1), the environment does not say
     * where the arena is (2), or the arena refuses the bot or stays out of reach (3).
     */
    public void run() {
        try {
            play(System.getenv());
        } catch (BotFailure failure) {
            failure.print(System.err);
            System.exit(EXIT_FAILURE);
        } catch (WrongSettings wrong) {
            leave(EXIT_USAGE, wrong.getMessage());
        } catch (NoArena noArena) {
            leave(EXIT_NO_ARENA, noArena.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void play(Map<String, String> environment)
            throws WrongSettings, NoArena, BotFailure, InterruptedException {
        Settings settings = Settings.from(environment, matchesAtOnce);
        Hello hello =
                Hello.newBuilder()
                        .setToken(settings.token())
                        .setProtocol(Session.PROTOCOL)
                        .setSdk("java " + VERSION)
                        .addAllGames(games)
                        .setMatchesAtOnce(settings.matchesAtOnce())
                        .build();
        Session session = new Session(bots, hello, System.err);
        Patience patience = new Patience(settings.address(), System::nanoTime, System.err);
        Channels channels = new Channels(settings);
        Leaving leaving = new Leaving(session);
        if (!ownSignals) {
            leaving.listen();
        }
        while (true) {
            // Attempts are independent: none waits because an earlier one failed.
            ManagedChannel channel = channels.open();
            String reason;
            try {
                Connection connection = new Connection(session, channel);
                leaving.onLeave(connection::leave);
                if (leaving.asked()) {
                    session.leave();
                }
                reason = connection.play();
            } finally {
                channel.shutdownNow();
            }
            if (session.goodbye() || session.hasLeft()) {
                return;
            }
            leaving.sleep(patience.after(session.welcomedAt(), reason).toMillis());
            if (leaving.asked() && session.matches() == 0) {
                return;
            }
        }
    }

    private static void leave(int code, String sentence) {
        System.err.println(sentence);
        System.exit(code);
    }
}
