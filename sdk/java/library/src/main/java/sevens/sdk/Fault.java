package sevens.sdk;

import java.util.Locale;
import sevens.bot.v1.Match.FaultKind;

/**
 * Why the arena played a seat from some decision on.
 *
 * @param kind a word such as "timeout" or "illegal-action"
 * @param decision the seat's decision at which it happened, 0 before the first; told to the seat's
 *     own team only
 * @param sentence what happened; told to the seat's own team only
 */
public record Fault(int seat, String kind, int decision, String sentence) {

    static Fault of(sevens.bot.v1.Match.Fault fault) {
        return new Fault(fault.getSeat(), kindOf(fault), fault.getDecision(), fault.getSentence());
    }

    /** Returns the word for a kind of fault; one that is newer than this SDK has a number only. */
    private static String kindOf(sevens.bot.v1.Match.Fault fault) {
        if (fault.getKind() == FaultKind.UNRECOGNIZED) {
            return "kind-" + fault.getKindValue();
        }
        String name = fault.getKind().name().substring("FAULT_KIND_".length());
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
