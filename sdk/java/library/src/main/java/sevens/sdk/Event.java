package sevens.sdk;

import java.util.List;
import java.util.OptionalInt;

/**
 * Something that happened, as the seat may know it.
 *
 * @param actor the seat that did it or that it happened to; empty if it concerns nobody in
 *     particular
 * @param arguments cards, numbers and words, all as texts
 */
public record Event(String verb, OptionalInt actor, List<String> arguments) {

    static Event of(sevens.bot.v1.ObservationOuterClass.Event event) {
        OptionalInt actor =
                event.hasActor() ? OptionalInt.of(event.getActor()) : OptionalInt.empty();
        return new Event(event.getVerb(), actor, event.getArgumentsList());
    }
}
