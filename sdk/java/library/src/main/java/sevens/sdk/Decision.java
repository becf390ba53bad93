package sevens.sdk;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A decision that the bot owes: a view of the arena's message that costs little until used. */
public final class Decision {
    private final sevens.bot.v1.DecisionOuterClass.Decision message;
    private final Match match;
    private final Random random;
    private final long arrivedNanos;
    private final StringBuilder notes = new StringBuilder();

    Decision(
            sevens.bot.v1.DecisionOuterClass.Decision message,
            Match match,
            Random random,
            long arrivedNanos) {
        this.message = message;
        this.match = match;
        this.random = random;
        this.arrivedNanos = arrivedNanos;
    }

    /** Returns the match that it belongs to. */
    public Match match() {
        return match;
    }

    /** Returns a source of randomness that repeats itself if this decision is asked for again. */
    public Random random() {
        return random;
    }

    /** Returns the texts of all legal actions. An action's index is its place here, from 0. */
    public List<String> legal() {
        return message.getLegalActionsList();
    }

    /** Returns the seat's count of its decisions, from 1, including those made by the arena. */
    public int number() {
        return message.getNumber();
    }

    public int seat() {
        return message.getSeat();
    }

    /** Returns the time now left on the clock, in which the answer must reach the arena. */
    public Duration timeLeft() {
        return Match.milliseconds(message.getTimeLeftMs())
                .minusNanos(System.nanoTime() - arrivedNanos);
    }

    public Observation observation() {
        return new Observation(message.getObservation());
    }

    /** Returns the cards of the seat's own zone "hand", which most games have. */
    public List<String> hand() {
        return observation().cards("hand", seat());
    }

    /** Returns everything the seat has learnt since its previous decision, oldest first. */
    public List<Event> events() {
        return message.getEventsList().stream().map(Event::of).toList();
    }

    /** Returns the number of events, the oldest ones, left out to keep the message small. */
    public int eventsLeftOut() {
        return message.getEventsLeftOut();
    }

    /**
     * Adds a line to the note that goes with the answer. Only the bot's owner sees it, next to the
     * decision. Anything beyond 1 KiB is cut off.
     */
    public void note(String text) {
        if (!notes.isEmpty()) {
            notes.append('\n');
        }
        notes.append(text);
    }

    /** Returns the note so far. */
    public String notes() {
        return notes.toString();
    }

    /** Returns the arena's message, for code that must be as fast as possible. */
    public sevens.bot.v1.DecisionOuterClass.Decision message() {
        return message;
    }

    @Override
    public String toString() {
        return "decision " + number() + " of " + match;
    }
}
