package sevens.sdk;

import java.util.List;
import java.util.OptionalInt;

/**
 * A place for cards.
 *
 * @param owner the seat that it belongs to; empty if it belongs to nobody
 * @param cards the codes of the cards that the seat sees, in the zone's order if it has one
 * @param hidden the number of cards that the seat does not see
 */
public record Zone(String name, OptionalInt owner, List<String> cards, int hidden) {

    static Zone of(sevens.bot.v1.ObservationOuterClass.Zone zone) {
        return new Zone(zone.getName(), ownerOf(zone), zone.getCardsList(), zone.getHidden());
    }

    static OptionalInt ownerOf(sevens.bot.v1.ObservationOuterClass.Zone zone) {
        return zone.hasOwner() ? OptionalInt.of(zone.getOwner()) : OptionalInt.empty();
    }
}
