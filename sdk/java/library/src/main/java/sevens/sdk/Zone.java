package sevens.sdk;

import java.util.List;
import java.util.OptionalInt;

/**
 * A place where cards lie.
 *
 * @param owner the seat it belongs to; empty where it belongs to nobody
 * @param cards the codes of those cards that the seat sees, in the order of the place where it has
 *     one
 * @param hidden how many more lie there
 */
public record Zone(String name, OptionalInt owner, List<String> cards, int hidden) {

    static Zone of(sevens.bot.v1.ObservationOuterClass.Zone zone) {
        return new Zone(zone.getName(), ownerOf(zone), zone.getCardsList(), zone.getHidden());
    }

    static OptionalInt ownerOf(sevens.bot.v1.ObservationOuterClass.Zone zone) {
        return zone.hasOwner() ? OptionalInt.of(zone.getOwner()) : OptionalInt.empty();
    }
}
