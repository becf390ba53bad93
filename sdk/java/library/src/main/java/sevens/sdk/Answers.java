package sevens.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import sevens.bot.v1.DecisionOuterClass.Answer;

/** Answers to the arena, even for illegal choices: judging them is the arena's part. */
final class Answers {
    private static final int NOTE_BYTES = 1024;
    private static final int TEXT_BYTES = 256;

    /** The number of legal actions that a warning names. */
    private static final int ACTIONS_NAMED = 20;

    private Answers() {}

    static Answer answerTo(Decision decision, Choice choice, PrintStream warnings) {
        Objects.requireNonNull(
                choice, "the bot chose null; expected a legal action's text or its index");
        Answer.Builder answer =
                Answer.newBuilder()
                        .setMatchId(decision.match().id())
                        .setNumber(decision.number())
                        .setNote(cut(decision.notes(), NOTE_BYTES));
        List<String> legal = decision.legal();
        if (choice instanceof Choice.Index chosen) {
            if (0 <= chosen.index() && chosen.index() < legal.size()) {
                return answer.setIndex(chosen.index()).build();
            }
            warnings.println(warning(decision, String.valueOf(chosen.index())));
            // As text, because the protocol's index cannot be negative.
            return answer.setText(String.valueOf(chosen.index())).build();
        }
        String text = ((Choice.Text) choice).text();
        if (legal.contains(text)) {
            return answer.setText(text).build();
        }
        warnings.println(warning(decision, quoted(text)));
        return answer.setText(cut(text, TEXT_BYTES)).build();
    }

    private static String warning(Decision decision, String chosen) {
        List<String> legal = decision.legal();
        String named =
                legal.stream()
                        .limit(ACTIONS_NAMED)
                        .map(Answers::quoted)
                        .collect(Collectors.joining(", "));
        int more = legal.size() - ACTIONS_NAMED;
        return "The bot chose %s, which is not legal, in %s. Legal: %s%s."
                .formatted(chosen, decision, named, more > 0 ? " and " + more + " more" : "");
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    /** Returns as much of the text as fits into {@code size} bytes of UTF-8. */
    static String cut(String text, int size) {
        byte[] bytes = text.getBytes(UTF_8);
        int end = Math.min(size, bytes.length);
        while (end < bytes.length && isInsideOfCharacter(bytes[end])) {
            end--;
        }
        return new String(bytes, 0, end, UTF_8);
    }

    private static boolean isInsideOfCharacter(byte utf8) {
        return (utf8 & 0b1100_0000) == 0b1000_0000;
    }
}
