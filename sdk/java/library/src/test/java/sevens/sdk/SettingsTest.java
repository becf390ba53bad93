package sevens.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private final Map<String, String> environment =
            new HashMap<>(Map.of("ARENA_ADDRESS", "unix:/run/arena.sock", "ARENA_TOKEN", "secret"));

    @Test
    void they_come_from_the_environment() throws Exception {
        Settings few = Settings.from(environment, 2);
        assertEquals(2, few.matchesAtOnce());
        assertEquals("secret", few.token());
        assertInstanceOf(InsecureChannelCredentials.class, few.security());
        environment.put("ARENA_MATCHES_AT_ONCE", "64");
        environment.put("ARENA_TLS", "1");
        Settings many = Settings.from(environment, 2);
        assertEquals(64, many.matchesAtOnce());
        assertInstanceOf(TlsChannelCredentials.class, many.security());
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix:/run/arena.sock", "unix:///run/arena.sock"})
    void the_address_may_be_a_socket_of_this_machine(String text) throws Exception {
        UnixDomainSocketAddress socket = UnixDomainSocketAddress.of("/run/arena.sock");
        assertEquals(new Address(text, socket), Address.of(text));
    }

    @ParameterizedTest
    @CsvSource({
        "arena.example.org:7777, arena.example.org, 7777",
        "127.0.0.1:80, 127.0.0.1, 80",
        "[::1]:65535, ::1, 65535",
    })
    void the_address_may_be_far(String text, String host, int port) throws Exception {
        InetSocketAddress socket = InetSocketAddress.createUnresolved(host, port);
        assertEquals(new Address(text, socket), Address.of(text));
    }

    @ParameterizedTest
    @CsvSource({"ARENA_ADDRESS", "ARENA_TOKEN"})
    void without_an_arena_the_bot_says_how_to_try_it(String missing) {
        environment.put(missing, "");
        String told = wrong();
        assertTrue(told.contains("to try it, in its folder: arena play xeri . builtin:random"));
        assertTrue(told.endsWith("(Not set in the environment: " + missing + ".)"));
    }

    @ParameterizedTest
    @CsvSource({
        "ARENA_ADDRESS, unix:",
        "ARENA_ADDRESS, arena.example.org",
        "ARENA_ADDRESS, arena.example.org:port",
        "ARENA_ADDRESS, 127.0.0.1:65536",
        "ARENA_ADDRESS, ::1:7777",
        "ARENA_MATCHES_AT_ONCE, 0",
        "ARENA_MATCHES_AT_ONCE, -1",
        "ARENA_MATCHES_AT_ONCE, many",
        "ARENA_TLS, yes",
        "ARENA_TLS_CA, /no/such/file",
        "ARENA_TLS_CA, pom.xml",
    })
    void a_wrong_value_is_named(String name, String value) {
        environment.put("ARENA_TLS", "1");
        environment.put(name, value);
        String told = wrong();
        assertTrue(told.contains(value), told);
    }

    private String wrong() {
        return assertThrows(WrongSettings.class, () -> Settings.from(environment, 1)).getMessage();
    }
}
