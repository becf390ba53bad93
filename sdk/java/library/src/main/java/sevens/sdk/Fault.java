package sevens.sdk;

import java.util.Locale;
import sevens.bot.v1.Match.FaultKind;

/**
 * The reason why the arena played for a seat from a certain decision on.
 *
 * @param kind a word such as "timeout" or "illegal-action"
 * @param decision the number of that decision, 0 before the first; sent to the seat's own team only
 * @param sentence a description of it; sent to the seat's own team only
 */
public record Fault(int seat, String kind, int decision, String sentence) {

    static Fault of(sevens.bot.v1.Match.Fault fault) {
        return new Fault(fault.getSeat(), kindOf(fault), fault.getDecision(), fault.getSentence());
    }

    /** Returns the name of a kind of fault: "kind-N" if it is newer than this SDK. */
    private static String kindOf(sevens.bot.v1.Match.Fault fault) {
        if (fault.getKind() == FaultKind.UNRECOGNIZED) {
            return "kind-" + fault.getKindValue();
        }
        String name = fault.getKind().name().substring("FAULT_KIND_".length());
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
