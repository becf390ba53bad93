package randombot;

import java.util.List;
import sevens.sdk.Bot;
import sevens.sdk.Choice;
import sevens.sdk.Decision;
import sevens.sdk.Runner;

/** Chooses any legal action, in every game. */
public final class RandomBot extends Bot {
    @Override
    public Choice choose(Decision decision) {
        List<String> legal = decision.legal();
        return Choice.of(legal.get(random().nextInt(legal.size())));
    }

    public static void main(String[] arguments) {
        new Runner(RandomBot::new).run();
    }
}
