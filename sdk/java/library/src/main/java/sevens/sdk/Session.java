package sevens.sdk;

import com.google.protobuf.ByteString;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import sevens.bot.v1.BotServiceOuterClass.ArenaFrame;
import sevens.bot.v1.BotServiceOuterClass.BotFrame;
import sevens.bot.v1.BotServiceOuterClass.Hello;
import sevens.bot.v1.BotServiceOuterClass.Leave;
import sevens.bot.v1.BotServiceOuterClass.Welcome;
import sevens.bot.v1.DecisionOuterClass.Answer;
import sevens.bot.v1.Match.MatchAccept;
import sevens.bot.v1.Match.MatchStart;

/**
 * The bot's side of the protocol, without input and output. Takes the arena's frames, and returns
 * calls of the bot's code and frames for the arena. Used by one thread at a time.
 */
final class Session {
    /** Stands for a decision's number: a match's acceptance, which is owed like an answer. */
    static final int ACCEPTANCE = 0;

    private static final int NONCE_BYTES = 32;

    /** The size of the longest answer: its note, its text, the match's ID and the field tags. */
    private static final int ANSWER_BYTES = 2048;

    /** The limit for a frame, until the arena has sent its own. */
    private static final int FRAME_BYTES = 1 << 20;

    /** The version of the protocol. */
    static final int PROTOCOL = 1;

    /** Something that the arena is waiting for on a stream. */
    private record Debt(String matchId, int number) {}

    private final Supplier<? extends Bot> bots;
    private final Hello hello;
    private final PrintStream warnings;
    private final SecureRandom nonces = new SecureRandom();
    // Its size is read by another thread too, when a signal arrives.
    private final Map<String, Seat> seats = new ConcurrentHashMap<>();
    private final Set<Debt> owed = new HashSet<>();
    private int stream;
    private int frameBytes = FRAME_BYTES;
    private OptionalLong welcomedAt = OptionalLong.empty();
    private volatile boolean goodbye;
    private boolean leaving;
    private boolean leaveSaid;
    private final Set<String> notices = new HashSet<>();
    private final List<MatchAccept> accepts = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();

    Session(Supplier<? extends Bot> bots, Hello hello, PrintStream warnings) {
        this.bots = bots;
        this.hello = hello;
        this.warnings = warnings;
    }

    /**
     * Returns the first frame for a new stream, and forgets what was due on the previous one. The
     * matches stay: the arena will say which of them go on.
     */
    BotFrame open() {
        welcomedAt = OptionalLong.empty();
        goodbye = false;
        leaveSaid = false;
        owed.clear();
        accepts.clear();
        answers.clear();
        return BotFrame.newBuilder().setHello(hello).build();
    }

    /**
     * Returns the calls that these frames lead to, in order. Ignores pings: they are answered while
     * the bot thinks.
     */
    List<Call> receive(List<ArenaFrame> frames) throws NoArena {
        long arrivedNanos = System.nanoTime();
        List<Call> calls = new ArrayList<>();
        for (ArenaFrame frame : frames) {
            hear(frame);
            for (MatchStart start : frame.getStartsList()) {
                start(start, calls);
            }
            for (var decision : frame.getDecisionsList()) {
                ask(decision, arrivedNanos, calls);
            }
            for (var end : frame.getEndsList()) {
                end(end, calls);
            }
        }
        return calls;
    }

    /** Takes what is due to be sent: one frame, several if one would be too large, or none. */
    List<BotFrame> outgoing() {
        List<BotFrame> frames = new ArrayList<>();
        int fit = Math.max(1, frameBytes / ANSWER_BYTES);
        for (int from = 0; from == 0 || from < answers.size(); from += fit) {
            BotFrame.Builder frame = BotFrame.newBuilder();
            frame.addAllAnswers(answers.subList(from, Math.min(from + fit, answers.size())));
            if (from == 0) {
                frame.addAllAccepts(accepts);
                if (leaving && !leaveSaid) {
                    leaveSaid = true;
                    frame.setLeave(Leave.getDefaultInstance());
                }
            }
            if (frame.getAnswersCount() + frame.getAcceptsCount() > 0 || frame.hasLeave()) {
                frames.add(frame.build());
            }
        }
        accepts.clear();
        answers.clear();
        return frames;
    }

    /** Returns the {@link System#nanoTime} at which the arena welcomed the bot on this stream. */
    OptionalLong welcomedAt() {
        return welcomedAt;
    }

    /** Returns true once the arena has announced the end of this stream. */
    boolean goodbye() {
        return goodbye;
    }

    /** Asks the arena for no further match, in the next outgoing frame. */
    void leave() {
        leaving = true;
    }

    /** Returns the number of matches that the bot has. */
    int matches() {
        return seats.size();
    }

    /** Returns true if the bot is leaving and has no match. */
    boolean hasLeft() {
        return leaving && seats.isEmpty();
    }

    /** Returns true once the arena has said goodbye and the bot has answered all it owed. */
    boolean finished() {
        return goodbye && owed.isEmpty();
    }

    // Frames of the arena.

    private void hear(ArenaFrame frame) throws NoArena {
        if (frame.hasRefusal()) {
            throw new NoArena(frame.getRefusal().getSentence());
        }
        if (frame.hasWelcome()) {
            welcome(frame.getWelcome());
        }
        goodbye |= frame.hasGoodbye();
    }

    private void welcome(Welcome welcome) throws NoArena {
        if (welcome.getProtocol() > PROTOCOL) {
            throw new NoArena(
                    "The arena speaks protocol %d, and this SDK %d: use a newer SDK."
                            .formatted(welcome.getProtocol(), PROTOCOL));
        }
        welcomedAt = OptionalLong.of(System.nanoTime());
        if (!welcome.getNotice().isEmpty() && notices.add(welcome.getNotice())) {
            warnings.println(welcome.getNotice());
        }
        int limit = welcome.getFrameLimitBytes();
        frameBytes = limit > 0 ? limit : FRAME_BYTES;
        // A match that the arena never named on the previous stream is over.
        seats.values().removeIf(seat -> seat.stream != stream);
        stream++;
    }

    private void start(MatchStart start, List<Call> calls) {
        Seat known = seats.get(start.getMatchId());
        boolean goesOn = start.getResumed() && known != null;
        Seat seat = goesOn ? known : new Seat(Match.of(start));
        seats.put(start.getMatchId(), seat);
        seat.stream = stream;
        owed.add(new Debt(start.getMatchId(), ACCEPTANCE));
        if (seat.ready) {
            accept(seat);
        }
        if (!goesOn) {
            calls.add(new Call("start", seat.match, () -> begin(seat)));
        }
    }

    private void ask(
            sevens.bot.v1.DecisionOuterClass.Decision message,
            long arrivedNanos,
            List<Call> calls) {
        Seat seat = seats.get(message.getMatchId());
        if (seat == null) {
            warnings.printf(
                    "The arena asked for a decision in %s, a match it never started.%n",
                    message.getMatchId());
            return;
        }
        owed.add(new Debt(message.getMatchId(), message.getNumber()));
        if (seat.number != message.getNumber()) {
            seat.number = message.getNumber();
            seat.answer = null;
            Decision decision = new Decision(message, seat.match, seat.random, arrivedNanos);
            calls.add(new Call("choice", decision, () -> choose(seat, decision)));
        } else if (seat.answer != null) {
            say(seat, seat.answer);
        } // else it is asked again after the stream was lost, and the bot has yet to answer
    }

    private void end(sevens.bot.v1.Match.MatchEnd message, List<Call> calls) {
        Seat seat = seats.remove(message.getMatchId());
        if (seat != null) {
            owed.remove(new Debt(message.getMatchId(), ACCEPTANCE));
            owed.remove(new Debt(message.getMatchId(), seat.number));
            calls.add(new Call("end", seat.match, () -> seat.bot.onEnd(MatchEnd.of(message))));
        }
    }

    // Calls of the bot's code, and answers.

    private void begin(Seat seat) throws Exception {
        seat.seed(ACCEPTANCE);
        seat.bot = Objects.requireNonNull(bots.get(), "the bot supplier returned null");
        seat.bot.sit(seat.match, seat.random);
        seat.bot.onStart();
        seat.ready = true;
        accept(seat);
    }

    private void accept(Seat seat) {
        if (due(seat, ACCEPTANCE)) {
            byte[] nonce = new byte[NONCE_BYTES];
            nonces.nextBytes(nonce);
            accepts.add(
                    MatchAccept.newBuilder()
                            .setMatchId(seat.match.id())
                            .setNonce(ByteString.copyFrom(nonce))
                            .build());
        }
    }

    private void choose(Seat seat, Decision decision) throws Exception {
        seat.seed(decision.number());
        Choice choice = seat.bot.choose(decision);
        seat.answer = Answers.answerTo(decision, choice, warnings);
        say(seat, seat.answer);
    }

    private void say(Seat seat, Answer answer) {
        if (due(seat, answer.getNumber())) {
            answers.add(answer);
        }
    }

    /** Returns true if the arena is waiting for this on this stream, but only once. */
    private boolean due(Seat seat, int number) {
        return seats.get(seat.match.id()) == seat && owed.remove(new Debt(seat.match.id(), number));
    }
}
