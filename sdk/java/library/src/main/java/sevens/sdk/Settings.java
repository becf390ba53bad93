package sevens.sdk;

import io.grpc.ChannelCredentials;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The settings from the environment. */
record Settings(Address address, ChannelCredentials security, String token, int matchesAtOnce) {

    static Settings from(Map<String, String> variables, int matchesAtOnce) throws WrongSettings {
        // A file of variables that was written on Windows leaves a carriage return behind each.
        Map<String, String> environment = new HashMap<>(variables);
        environment.replaceAll((name, text) -> text.strip());
        List<String> missing =
                Stream.of("ARENA_ADDRESS", "ARENA_TOKEN")
                        .filter(name -> environment.getOrDefault(name, "").isEmpty())
                        .toList();
        if (!missing.isEmpty()) {
            throw new WrongSettings(
                    "This bot is started by the arena; to try it, in its folder:"
                            + " arena play xeri . builtin:random\n"
                            + "(Not set in the environment: "
                            + String.join(", ", missing)
                            + ".)");
        }
        return new Settings(
                Address.of(environment.get("ARENA_ADDRESS")),
                Security.from(environment),
                environment.get("ARENA_TOKEN"),
                number(environment.getOrDefault("ARENA_MATCHES_AT_ONCE", ""), matchesAtOnce));
    }

    private static int number(String text, int otherwise) throws WrongSettings {
        String given = text.isEmpty() ? String.valueOf(otherwise) : text;
        if (!given.matches("0*[1-9][0-9]{0,8}")) {
            throw new WrongSettings(
                    "The number of matches at once has to be 1 or more, not \"" + given + "\".");
        }
        return Integer.parseInt(given);
    }
}
