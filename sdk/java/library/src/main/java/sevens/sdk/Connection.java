package sevens.sdk;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import sevens.bot.v1.BotServiceOuterClass.ArenaFrame;
import sevens.bot.v1.BotServiceOuterClass.BotFrame;
import sevens.bot.v1.BotServiceOuterClass.Pong;

/**
 * One stream. The bot thinks in the thread that calls {@link #play}. Meanwhile, gRPC's thread
 * reads; the bot then handles together all frames that have arrived.
 */
final class Connection extends ClientCall.Listener<ArenaFrame> {
    static final MethodDescriptor<BotFrame, ArenaFrame> METHOD =
            MethodDescriptor.<BotFrame, ArenaFrame>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName("sevens.bot.v1.BotService/Play")
                    .setRequestMarshaller(ProtoUtils.marshaller(BotFrame.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(ArenaFrame.getDefaultInstance()))
                    .build();

    /** The longest time that an answer waits for the others of its frame. */
    private static final Duration PROMPT = Duration.ofMillis(10);

    /** The time to wait for the arena to end a stream that the bot has closed. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    /** The time by which a crash may be delayed so that answers already given are written. */
    private static final Duration FLUSH = Duration.ofSeconds(1);

    /** Marks the end of the stream in the inbox; no other frame is this object. */
    private static final ArenaFrame OVER = ArenaFrame.newBuilder().build();

    /** Marks in the inbox that the bot is to leave. */
    private static final ArenaFrame LEAVE = ArenaFrame.newBuilder().build();

    /** The time to wait for a goodbye: arenas older than `leave` do not answer it. */
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private final Session session;
    private final ClientCall<BotFrame, ArenaFrame> call;
    private final BlockingQueue<ArenaFrame> inbox = new LinkedBlockingQueue<>();

    /** True once nothing may be sent any more. Guarded by this object, as all sending is. */
    private boolean silent;

    /** The reason why the stream ended; set before OVER is in the inbox. */
    private volatile String reason = "the arena did not end the stream";

    /** True once OVER has been taken out of the inbox. */
    private boolean over;

    Connection(Session session, Channel channel) {
        this.session = session;
        this.call = channel.newCall(METHOD, CallOptions.DEFAULT);
    }

    /** Plays until the stream is over. Returns the reason why it ended. */
    String play() throws NoArena, BotFailure, InterruptedException {
        call.start(this, new Metadata());
        call.request(1);
        say(session.open());
        session.outgoing().forEach(this::say);
        try {
            while (!over && !session.finished()) {
                List<ArenaFrame> frames = taken();
                if (session.hasLeft() && session.welcomedAt().isEmpty()) {
                    return "the bot has left";
                }
                if (frames == null) {
                    break;
                }
                attend(frames);
            }
        } catch (BotFailure failure) {
            hangUp();
            hearOut(FLUSH);
            throw failure;
        }
        hangUp();
        for (ArenaFrame frame : hearOut(LAST_WORDS)) {
            attend(List.of(frame));
        }
        return reason;
    }

    /** Lets the bot leave; may be called by any thread. */
    void leave() {
        inbox.add(LEAVE);
    }

    // In gRPC's thread.

    @Override
    public void onMessage(ArenaFrame frame) {
        if (frame.hasPing()) {
            Pong.Builder pong = Pong.newBuilder().setNumber(frame.getPing().getNumber());
            say(BotFrame.newBuilder().setPong(pong).build());
        }
        inbox.add(frame);
        call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        reason = status.isOk() ? "the arena ended the stream without a goodbye" : told(status);
        inbox.add(OVER);
    }

    /** Returns a description of what happened, in one line. */
    private static String told(Status status) {
        String description = String.valueOf(status.getDescription()).lines().findFirst().orElse("");
        Throwable cause = status.getCause();
        if (cause == null) {
            return description + " (" + status.getCode() + ")";
        }
        // The description says only "io exception"; the root cause says more.
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return description + ": " + cause.getMessage() + " (" + status.getCode() + ")";
    }

    // In the bot's thread.

    /**
     * Waits for a frame. Returns all that have arrived, which may be none; or null if the bot waits
     * for a goodbye in vain.
     */
    private List<ArenaFrame> taken() throws InterruptedException {
        List<ArenaFrame> frames = new ArrayList<>();
        ArenaFrame first =
                session.hasLeft()
                        ? inbox.poll(GOODBYE.toNanos(), TimeUnit.NANOSECONDS)
                        : inbox.take();
        if (first == null) {
            return null;
        }
        frames.add(first);
        inbox.drainTo(frames);
        over = frames.removeIf(frame -> frame == OVER);
        if (frames.removeIf(frame -> frame == LEAVE)) {
            session.leave();
            session.outgoing().forEach(this::say);
        }
        return frames;
    }

    /** Waits a limited time for the end of the stream. Returns the frames that still arrive. */
    private List<ArenaFrame> hearOut(Duration patience) throws InterruptedException {
        List<ArenaFrame> frames = new ArrayList<>();
        long deadline = System.nanoTime() + patience.toNanos();
        while (!over) {
            ArenaFrame frame = inbox.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (frame == null) {
                break;
            }
            over = frame == OVER;
            if (!over) {
                frames.add(frame);
            }
        }
        return frames;
    }

    /**
     * Makes the calls that are due. If one fails, the answers given so far are still sent: a crash
     * is a fault only in the matches in which an answer is missing.
     */
    private void attend(List<ArenaFrame> frames) throws NoArena, BotFailure {
        long saidAt = System.nanoTime();
        try {
            for (Call due : session.receive(frames)) {
                due.make();
                if (System.nanoTime() - saidAt > PROMPT.toNanos()) {
                    session.outgoing().forEach(this::say);
                    saidAt = System.nanoTime();
                }
            }
        } finally {
            session.outgoing().forEach(this::say);
        }
    }

    /** Sends a frame if the stream is still open; the arena asks again for what is lost. */
    private synchronized void say(BotFrame frame) {
        if (!silent) {
            call.sendMessage(frame);
        }
    }

    private synchronized void hangUp() {
        silent = true;
        call.halfClose();
    }
}
