package sevens.sdk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * All that the seat may see: zones with cards, and facts. A view of the arena's message: each call
 * reads the message again.
 *
 * <p>{@code arena games show SLUG} explains the zones and facts of a game.
 */
public final class Observation {
    private final sevens.bot.v1.ObservationOuterClass.Observation message;

    Observation(sevens.bot.v1.ObservationOuterClass.Observation message) {
        this.message = message;
    }

    public List<Zone> zones() {
        return message.getZonesList().stream().map(Zone::of).toList();
    }

    /** Returns the zone of that name that belongs to nobody; an empty one if there is none now. */
    public Zone zone(String name) {
        return zone(name, OptionalInt.empty());
    }

    /** Returns the zone of that name and owner; an empty one if there is none now. */
    public Zone zone(String name, int owner) {
        return zone(name, OptionalInt.of(owner));
    }

    private Zone zone(String name, OptionalInt owner) {
        for (var zone : message.getZonesList()) {
            if (zone.getName().equals(name) && Zone.ownerOf(zone).equals(owner)) {
                return Zone.of(zone);
            }
        }
        return new Zone(name, owner, List.of(), 0);
    }

    /** Returns the cards that the seat sees in the zone of that name that belongs to nobody. */
    public List<String> cards(String name) {
        return zone(name).cards();
    }

    /** Returns the cards that the seat sees in the zone of that name and owner. */
    public List<String> cards(String name, int owner) {
        return zone(name, owner).cards();
    }

    /** Returns all facts by their names, in alphabetical order. */
    public Map<String, Fact> facts() {
        Map<String, Fact> facts = new LinkedHashMap<>();
        for (var fact : message.getFactsList()) {
            facts.put(fact.getName(), Fact.of(fact));
        }
        return facts;
    }

    public Fact fact(String name) {
        for (var fact : message.getFactsList()) {
            if (fact.getName().equals(name)) {
                return Fact.of(fact);
            }
        }
        String names = facts().keySet().stream().collect(Collectors.joining(", "));
        throw new NoSuchElementException(
                "there is no fact \""
                        + name
                        + "\" here, only: "
                        + (names.isEmpty() ? "none" : names));
    }

    @Override
    public String toString() {
        return "Observation[zones=" + zones() + ", facts=" + facts().values() + "]";
    }
}
