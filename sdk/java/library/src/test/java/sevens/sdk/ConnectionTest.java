package sevens.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sevens.sdk.Frames.decision;
import static sevens.sdk.Frames.decisions;
import static sevens.sdk.Frames.end;
import static sevens.sdk.Frames.goodbye;
import static sevens.sdk.Frames.starts;
import static sevens.sdk.Frames.welcome;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sevens.bot.v1.BotServiceOuterClass.ArenaFrame;
import sevens.bot.v1.BotServiceOuterClass.BotFrame;
import sevens.bot.v1.BotServiceOuterClass.Hello;
import sevens.bot.v1.BotServiceOuterClass.Ping;

/** One stream with a scripted arena, over gRPC without sockets. */
@Timeout(20)
class ConnectionTest {
    private final CompletableFuture<ServerCall<BotFrame, ArenaFrame>> stream =
            new CompletableFuture<>();
    private final BlockingQueue<BotFrame> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch botIsSilent = new CountDownLatch(1);
    private final CountDownLatch thinking = new CountDownLatch(1);
    private Server arena;
    private ManagedChannel channel;

    @BeforeEach
    void open() throws Exception {
        String name = InProcessServerBuilder.generateName();
        ServerServiceDefinition service =
                ServerServiceDefinition.builder("sevens.bot.v1.BotService")
                        .addMethod(Connection.METHOD, this::accept)
                        .build();
        arena = InProcessServerBuilder.forName(name).addService(service).build().start();
        channel = InProcessChannelBuilder.forName(name).build();
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        arena.shutdownNow();
    }

    private ServerCall.Listener<BotFrame> accept(
            ServerCall<BotFrame, ArenaFrame> call, Metadata headers) {
        call.sendHeaders(new Metadata());
        call.request(1000);
        stream.complete(call);
        return new ServerCall.Listener<>() {
            @Override
            public void onMessage(BotFrame frame) {
                heard.add(frame);
            }

            @Override
            public void onHalfClose() {
                botIsSilent.countDown();
            }
        };
    }

    private void say(ArenaFrame... frames) throws Exception {
        for (ArenaFrame frame : frames) {
            stream.get().sendMessage(frame);
        }
    }

    private BotFrame hear() throws InterruptedException {
        BotFrame frame = heard.poll(10, TimeUnit.SECONDS);
        assertNotNull(frame, "the bot says nothing");
        return frame;
    }

    private final CompletableFuture<Connection> connection = new CompletableFuture<>();

    /** Lets a bot play in its own thread. Returns the reason why the stream ended. */
    private CompletableFuture<String> playing(Supplier<Bot> bots) throws Exception {
        Hello hello = Hello.newBuilder().setToken("secret").build();
        Session session = new Session(bots, hello, System.err);
        CompletableFuture<String> result = new CompletableFuture<>();
        Runnable play =
                () -> {
                    try {
                        connection.complete(new Connection(session, channel));
                        result.complete(connection.get().play());
                    } catch (Throwable failure) {
                        result.completeExceptionally(failure);
                    }
                };
        new Thread(play).start();
        assertEquals(hello, hear().getHello());
        say(welcome(1 << 20), starts("m1", "m2"));
        for (int accepted = 0; accepted < 2; ) {
            accepted += hear().getAcceptsCount();
        }
        return result;
    }

    private Bot bot(CountDownLatch mayAnswer) {
        return new Bot() {
            @Override
            public Choice choose(Decision decision) throws Exception {
                thinking.countDown();
                mayAnswer.await();
                if (match().id().equals("m2")) {
                    throw new ArithmeticException("at 2 a.m.");
                }
                return Choice.of("pass");
            }
        };
    }

    @Test
    void after_a_goodbye_the_bot_answers_what_it_owes_and_hangs_up() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        CompletableFuture<String> end = playing(() -> bot(mayAnswer));
        say(decisions(decision("m1", 1)), goodbye());
        assertFalse(botIsSilent.await(100, TimeUnit.MILLISECONDS));
        mayAnswer.countDown();
        assertEquals(1, hear().getAnswersCount());
        assertTrue(botIsSilent.await(10, TimeUnit.SECONDS));
        stream.get().close(Status.OK, new Metadata());
        end.get();
    }

    @Test
    void a_bot_that_leaves_plays_its_matches_to_their_end() throws Exception {
        CompletableFuture<String> end = playing(() -> bot(new CountDownLatch(0)));
        connection.get().leave();
        assertTrue(hear().hasLeave());
        say(decisions(decision("m1", 1)));
        assertEquals(1, hear().getAnswersCount());
        say(end("m1"), end("m2"), goodbye());
        assertTrue(botIsSilent.await(4, TimeUnit.SECONDS));
        stream.get().close(Status.OK, new Metadata());
        end.get();
    }

    @Test
    void a_bot_does_not_wait_for_an_arena_that_does_not_know_leave() throws Exception {
        CompletableFuture<String> end = playing(() -> bot(new CountDownLatch(0)));
        connection.get().leave();
        assertTrue(hear().hasLeave());
        say(end("m1"), end("m2"));
        assertTrue(botIsSilent.await(9, TimeUnit.SECONDS));
        stream.get().close(Status.OK, new Metadata());
        end.get();
    }

    @Test
    void a_ping_is_answered_while_the_bot_thinks() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        playing(() -> bot(mayAnswer));
        say(decisions(decision("m1", 1)));
        thinking.await();
        say(ArenaFrame.newBuilder().setPing(Ping.newBuilder().setNumber(42)).build());
        assertEquals(42, hear().getPong().getNumber());
        mayAnswer.countDown();
        assertEquals(1, hear().getAnswersCount());
    }

    @Test
    void a_crash_spares_what_was_answered_before() throws Exception {
        CompletableFuture<String> end = playing(() -> bot(new CountDownLatch(0)));
        say(decisions(decision("m1", 4), decision("m2", 17)));
        assertEquals("m1", hear().getAnswers(0).getMatchId());
        Throwable failure = assertThrows(Exception.class, end::get).getCause();
        assertEquals(
                "This was the bot's choice in decision 17 of match m2 (xeri), seat 1.",
                failure.getMessage());
        assertEquals("at 2 a.m.", failure.getCause().getMessage());
    }

    @Test
    void a_break_is_told_with_its_reason() throws Exception {
        CompletableFuture<String> end = playing(() -> bot(new CountDownLatch(0)));
        Status away = Status.UNAVAILABLE.withDescription("going away");
        stream.get().close(away, new Metadata());
        assertEquals("going away (UNAVAILABLE)", end.get());
    }
}
