package mybot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import sevens.sdk.Bot;
import sevens.sdk.Choice;
import sevens.sdk.Decision;
import sevens.sdk.Runner;
import sevens.sdk.Zone;

/**
 * Plays as many cards as it can, first those that match the table. Knows no game, plays every one.
 * One object plays one match at one seat.
 */
public final class MyBot extends Bot {
    @Override
    public Choice choose(Decision decision) {
        List<String> legal = new ArrayList<>(decision.legal());
        Collections.shuffle(legal, random()); // equals in any order
        String best = Collections.max(legal, Comparator.comparingInt(a -> worth(a, decision)));
        decision.note(best + " is worth " + worth(best, decision)); // `arena log` shows it
        return Choice.of(best);
    }

    private static int worth(String action, Decision decision) {
        int worth = 0;
        String[] words = action.split(" "); // a verb and what it is done with: "play 7S"
        for (String word : words) {
            if (decision.hand().contains(word)) { // your cards, such as "7S"
                worth += onTable(word.charAt(0), decision) ? 110 : 100;
            }
        }
        return bidding(decision) ? worth - words.length : worth + words.length;
    }

    /** Returns true if a card of the rank is on top of a zone that belongs to nobody. */
    private static boolean onTable(char rank, Decision decision) {
        for (Zone zone : decision.observation().zones()) {
            List<String> cards = zone.cards();
            if (zone.owner().isEmpty() && !cards.isEmpty()) {
                if (cards.get(cards.size() - 1).charAt(0) == rank) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns true if the short action, a pass, is the careful one. */
    private static boolean bidding(Decision decision) {
        var phase = decision.observation().facts().get("phase"); // null if there is no such fact
        return phase != null && List.of("auction", "bidding").contains(phase.word());
    }

    public static void main(String[] arguments) {
        new Runner(MyBot::new).run();
    }
}
