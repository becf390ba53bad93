package sevens.sdk;

import java.util.List;
import java.util.NoSuchElementException;

/**
 * One thing that a seat knows: a number, a word, or a list of numbers or of words.
 *
 * @param numbers the values if they are numbers
 * @param words the values if they are words
 * @param isList true for a list, which may be empty; if false, there is exactly one value
 */
public record Fact(String name, List<Integer> numbers, List<String> words, boolean isList) {

    /** Returns the value of a fact that is one number. */
    public int number() {
        return only(numbers, "number");
    }

    /** Returns the value of a fact that is one word. */
    public String word() {
        return only(words, "word");
    }

    private <T> T only(List<T> values, String kind) {
        if (isList || values.isEmpty()) {
            throw new NoSuchElementException("the fact is not a " + kind + ": " + this);
        }
        return values.get(0);
    }

    static Fact of(sevens.bot.v1.ObservationOuterClass.Fact fact) {
        return new Fact(
                fact.getName(), fact.getNumbersList(), fact.getWordsList(), fact.getIsList());
    }
}
