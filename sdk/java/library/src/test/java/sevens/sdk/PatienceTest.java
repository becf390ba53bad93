package sevens.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final long SECOND = 1_000_000_000;

    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private long now = 1000 * SECOND;

    private PrintStream told() {
        return new PrintStream(told, true, StandardCharsets.UTF_8);
    }

    @Test
    void a_distant_arena_is_tried_ever_more_slowly_and_never_given_up() throws Exception {
        Patience patience = new Patience(Address.of("arena.example:7777"), () -> now, told());
        long began = now;
        List<Duration> pauses = new ArrayList<>();
        while (now - began < 600 * SECOND) {
            Duration pause = patience.after(OptionalLong.empty(), "it is down");
            assertTrue(now - began >= 30 * SECOND || pause.toMillis() <= 3000);
            pauses.add(pause);
            now += pause.toNanos();
        }
        assertEquals(
                "The arena at arena.example:7777 cannot be reached (it is down)."
                        + " Trying until it answers.\n",
                told.toString(StandardCharsets.UTF_8));
        assertTrue(pauses.get(0).toMillis() <= 100);
        assertTrue(pauses.get(pauses.size() - 1).toMillis() >= 20_900);
        // A stream that breaks at once is no success; one that lasts for some time is.
        OptionalLong brief = OptionalLong.of(now - SECOND / 10);
        assertTrue(patience.after(brief, "it breaks").toMillis() >= 20_900);
        OptionalLong good = OptionalLong.of(now - 6 * SECOND);
        assertTrue(patience.after(good, "it broke").toMillis() <= 100);
        assertTrue(told.toString(StandardCharsets.UTF_8).contains("(it broke)"));
    }

    @Test
    void a_socket_on_this_machine_is_soon_given_up() throws Exception {
        List<Duration> pauses = new ArrayList<>();
        Patience patience = new Patience(Address.of("unix:/run/arena.sock"), () -> now, told());
        NoArena gone = assertThrows(NoArena.class, () -> tryForEver(patience, pauses));
        assertTrue(gone.getMessage().contains("(limit: 2 s)"));
        assertEquals(4, pauses.size(), 1);
        assertEquals(0, told.size());
    }

    private void tryForEver(Patience patience, List<Duration> pauses) throws NoArena {
        while (true) {
            Duration pause = patience.after(OptionalLong.empty(), "it is down");
            pauses.add(pause);
            now += pause.toNanos();
        }
    }
}
