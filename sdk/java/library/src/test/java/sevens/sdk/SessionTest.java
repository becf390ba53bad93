package sevens.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sevens.sdk.Frames.decision;
import static sevens.sdk.Frames.decisions;
import static sevens.sdk.Frames.end;
import static sevens.sdk.Frames.goodbye;
import static sevens.sdk.Frames.resumed;
import static sevens.sdk.Frames.starts;
import static sevens.sdk.Frames.welcome;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import sevens.bot.v1.BotServiceOuterClass.ArenaFrame;
import sevens.bot.v1.BotServiceOuterClass.BotFrame;
import sevens.bot.v1.BotServiceOuterClass.Hello;
import sevens.bot.v1.BotServiceOuterClass.Refusal;
import sevens.bot.v1.DecisionOuterClass.Answer;
import sevens.bot.v1.Match.MatchAccept;

/** Frames and choices in a session, without a connection. */
class SessionTest {
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();

    /** The decisions that the bots were asked for, and the ends they received. */
    private final List<String> asked = new ArrayList<>();

    private final class TestBot extends Bot {
        private final Function<Decision, Choice> choice;

        TestBot(Function<Decision, Choice> choice) {
            this.choice = choice;
        }

        @Override
        public Choice choose(Decision decision) {
            asked.add(match().id() + " " + decision.number());
            return choice.apply(decision);
        }

        @Override
        public void onEnd(MatchEnd end) {
            asked.add(match().id() + " end");
        }
    }

    private Session session(Function<Decision, Choice> choice) {
        PrintStream warnings = new PrintStream(stderr, true, UTF_8);
        return new Session(() -> new TestBot(choice), Hello.getDefaultInstance(), warnings);
    }

    /** Returns a session on a new stream on which these matches have been accepted. */
    private Session playing(Function<Decision, Choice> choice, String... matches) throws Exception {
        Session session = session(choice);
        session.open();
        hear(session, welcome(1 << 20), starts(matches));
        return session;
    }

    private static List<BotFrame> hear(Session session, ArenaFrame... frames) throws Exception {
        for (Call call : session.receive(List.of(frames))) {
            call.make();
        }
        return session.outgoing();
    }

    private static List<Answer> answers(List<BotFrame> frames) {
        return frames.stream().flatMap(frame -> frame.getAnswersList().stream()).toList();
    }

    private Answer answerTo(Function<Decision, Choice> choice) throws Exception {
        List<Answer> answers = answers(hear(playing(choice, "m1"), decisions(decision("m1", 3))));
        assertEquals(1, answers.size());
        return answers.get(0);
    }

    @Test
    void a_choice_is_sent_as_it_was_made() throws Exception {
        Answer.Builder answer = Answer.newBuilder().setMatchId("m1").setNumber(3);
        assertEquals(answer.setText("pass").build(), answerTo(decision -> Choice.of("pass")));
        assertEquals(answer.setIndex(2).build(), answerTo(decision -> Choice.of(2)));
        assertEquals("", stderr.toString(UTF_8));
    }

    @Test
    void an_illegal_choice_is_sent_with_a_warning() throws Exception {
        assertEquals("play 9S", answerTo(decision -> Choice.of("play 9S")).getText());
        assertEquals(
                "The bot chose \"play 9S\", which is not legal, in decision 3 of match m1 (xeri),"
                        + " seat 1. Legal: \"play 7S\", \"play 8S\", \"pass\"."
                        + System.lineSeparator(),
                stderr.toString(UTF_8));
        assertEquals("-1", answerTo(decision -> Choice.of(-1)).getText());
        assertEquals("3", answerTo(decision -> Choice.of(3)).getText());
        assertEquals(256, answerTo(decision -> Choice.of("x".repeat(300))).getText().length());
        assertEquals("? half", answerTo(decision -> Choice.of("\ud800 half")).getText());
    }

    @Test
    void no_choice_at_all_is_a_failure_that_names_its_place() {
        BotFailure failure = assertThrows(BotFailure.class, () -> answerTo(decision -> null));
        assertEquals(
                "This was the bot's choice in decision 3 of match m1 (xeri), seat 1.",
                failure.getMessage());
        assertTrue(failure.getCause().getMessage().startsWith("the bot chose null"));
    }

    @Test
    void a_note_is_cut_between_characters() throws Exception {
        Answer answer =
                answerTo(
                        decision -> {
                            decision.note("x");
                            decision.note("ä".repeat(2000));
                            return Choice.of(0);
                        });
        assertEquals("x\n" + "ä".repeat(511), answer.getNote());
    }

    @Test
    void matches_are_accepted_with_nonces_of_their_own() throws Exception {
        Session session = session(decision -> Choice.of(0));
        session.open();
        List<BotFrame> frames = hear(session, welcome(1 << 20), starts("m1", "m2"));
        List<MatchAccept> accepts = frames.get(0).getAcceptsList();
        assertEquals(List.of("m1", "m2"), accepts.stream().map(MatchAccept::getMatchId).toList());
        assertEquals(32, accepts.get(0).getNonce().size());
        assertNotEquals(accepts.get(0).getNonce(), accepts.get(1).getNonce());
    }

    @Test
    void answers_travel_together_within_the_limit_of_a_frame() throws Exception {
        String[] matches = IntStream.range(0, 30).mapToObj(n -> "m" + n).toArray(String[]::new);
        ArenaFrame.Builder asking = ArenaFrame.newBuilder();
        for (String match : matches) {
            asking.addDecisions(decision(match, 1));
        }
        Function<Decision, Choice> noting =
                decision -> {
                    decision.note("x".repeat(1024));
                    return Choice.of("pass");
                };
        assertEquals(1, hear(playing(noting, matches), asking.build()).size());
        Session session = playing(noting, matches);
        List<BotFrame> frames = hear(session, welcome(8192), starts(matches), asking.build());
        assertEquals(30, answers(frames).size());
        assertTrue(frames.stream().allMatch(frame -> frame.getSerializedSize() <= 8192));
    }

    @Test
    void a_decision_asked_again_gets_the_answer_it_got() throws Exception {
        Session session =
                playing(
                        decision -> {
                            decision.note(String.valueOf(decision.random().nextLong()));
                            return Choice.of(decision.random().nextInt(3));
                        },
                        "m1",
                        "m2");
        List<Answer> given = answers(hear(session, decisions(decision("m1", 4))));
        session.open();
        hear(session, welcome(1 << 20), resumed("m1"));
        assertEquals(given, answers(hear(session, decisions(decision("m1", 4)))));
        assertEquals(given, answers(hear(session, decisions(decision("m1", 4)))));
        assertEquals(List.of("m1 4"), asked);
    }

    @Test
    void randomness_follows_from_seed_and_number_alone() throws Exception {
        List<Long> drawn = new ArrayList<>();
        Function<Decision, Choice> drawing =
                decision -> {
                    drawn.add(decision.random().nextLong());
                    decision.random().nextGaussian();
                    return Choice.of(0);
                };
        hear(playing(drawing, "m1"), decisions(decision("m1", 1)), decisions(decision("m1", 2)));
        hear(playing(drawing, "m2"), decisions(decision("m2", 2)));
        // Computed separately: java.util.Random of the first 8 bytes of SHA-256(seed, number).
        assertEquals(
                List.of(-3487957227145649380L, -3906154940120640530L, -3906154940120640530L),
                drawn);
    }

    @Test
    void a_match_that_ends_is_owed_nothing_any_more() throws Exception {
        Session session = playing(decision -> Choice.of(0), "m1", "m2");
        List<BotFrame> frames =
                hear(
                        session,
                        decisions(decision("m1", 1), decision("m2", 1)),
                        end("m1"),
                        end("m0"));
        assertEquals(List.of("m2"), answers(frames).stream().map(Answer::getMatchId).toList());
        assertEquals(List.of("m1 1", "m2 1", "m1 end"), asked);
    }

    @Test
    void a_decision_of_an_unknown_match_is_left_alone() throws Exception {
        Session session = playing(decision -> Choice.of(0), "m1");
        List<BotFrame> frames =
                hear(session, decisions(decision("m0", 1), decision("m1", 1)), goodbye());
        assertEquals(1, answers(frames).size());
        assertTrue(session.finished());
        assertTrue(stderr.toString(UTF_8).contains("a decision in m0, a match it never started"));
    }

    @Test
    void a_match_that_a_whole_stream_did_not_name_is_forgotten() throws Exception {
        Session session = playing(decision -> Choice.of(0), "m1", "m2");
        for (int stream = 0; stream < 2; stream++) {
            session.open();
            hear(session, welcome(1 << 20), resumed("m1"));
        }
        hear(session, decisions(decision("m1", 1), decision("m2", 1)));
        assertEquals(List.of("m1 1"), asked);
    }

    @Test
    void a_match_that_starts_anew_gets_a_new_bot() throws Exception {
        var objects = Collections.newSetFromMap(new IdentityHashMap<Match, Boolean>());
        Session session =
                playing(
                        decision -> {
                            objects.add(decision.match());
                            return Choice.of(0);
                        },
                        "m1");
        hear(session, decisions(decision("m1", 1)));
        session.open();
        hear(session, welcome(1 << 20), starts("m1"), decisions(decision("m1", 1)));
        assertEquals(2, objects.size());
        assertEquals(List.of("m1 1", "m1 1"), asked);
    }

    @Test
    void goodbye_waits_for_what_is_owed() throws Exception {
        Session session = playing(decision -> Choice.of(0), "m1");
        List<Call> calls = session.receive(List.of(decisions(decision("m1", 1)), goodbye()));
        assertFalse(session.finished());
        for (Call call : calls) {
            call.make();
        }
        assertTrue(session.finished());
    }

    @Test
    void a_refusal_is_told_in_its_own_words() {
        Refusal.Builder refusal = Refusal.newBuilder().setSentence("This token was revoked.");
        ArenaFrame frame = ArenaFrame.newBuilder().setRefusal(refusal).build();
        NoArena told =
                assertThrows(
                        NoArena.class,
                        () -> session(decision -> Choice.of(0)).receive(List.of(frame)));
        assertEquals("This token was revoked.", told.getMessage());
    }
}
