package xerifisher;

import java.util.Comparator;
import java.util.List;
import sevens.sdk.Bot;
import sevens.sdk.Choice;
import sevens.sdk.Decision;
import sevens.sdk.Runner;
import sevens.sdk.Zone;

/**
 * Xeri: captures whatever is worth it, and otherwise lays the card that is safest to leave.
 *
 * <p>The idea: a card on top of the pile is safe if few cards of its rank are unseen, as only those
 * (and jacks) can capture it. On an empty pile that matters most: the opponent's capture would be a
 * xeri.
 */
public final class XeriFisher extends Bot {
    // In tenths of a point, so that sums are exact and ties are ties.
    private static final int XERI = 100;

    /** A jack is worth keeping for a pile that is worth more than this. */
    private static final int JACK_KEPT_FOR = 30;

    @Override
    public Choice choose(Decision decision) {
        List<String> pile = decision.observation().cards("pile");
        Comparator<String> byValue =
                Comparator.comparingDouble(action -> value(action.split(" ")[1], pile, decision));
        return Choice.of(decision.legal().stream().max(byValue).orElseThrow());
    }

    /** Returns the gain of playing the card now, less its expected cost. */
    private static double value(String card, List<String> pile, Decision decision) {
        boolean jack = rank(card) == 'J';
        int all = worth(card) + pile.stream().mapToInt(XeriFisher::worth).sum();
        boolean same = !pile.isEmpty() && rank(card) == rank(pile.get(pile.size() - 1));
        if (same || jack && !pile.isEmpty()) {
            int won = all + (same && pile.size() == 1 ? XERI : 0);
            return jack ? won - JACK_KEPT_FOR : won;
        }
        int lost = all + (pile.isEmpty() ? XERI : 0);
        return -unseen(rank(card), decision) * lost / 4.0 - (jack ? JACK_KEPT_FOR : 0);
    }

    /** Returns the number of cards of the rank that the bot has not seen in this deal. */
    private static long unseen(char rank, Decision decision) {
        long onTable =
                decision.observation().zones().stream()
                        .filter(zone -> zone.name().equals("pile") || zone.name().equals("won"))
                        .map(Zone::cards)
                        .flatMap(List::stream)
                        .filter(card -> rank(card) == rank)
                        .count();
        return 4 - onTable - decision.hand().stream().filter(card -> rank(card) == rank).count();
    }

    /**
     * Returns the tenths of a point for a won card; 3 points for most cards add about one to each.
     */
    private static int worth(String card) {
        boolean high = "AKQJT".indexOf(rank(card)) >= 0;
        boolean named = card.equals("TD") || card.equals("2C");
        return (high ? 10 : 0) + (named ? 10 : 0) + 1;
    }

    private static char rank(String card) {
        return card.charAt(0);
    }

    public static void main(String[] arguments) {
        new Runner(XeriFisher::new).games("xeri").run();
    }
}
