package sevens.sdk;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The arena's address.
 *
 * @param text the address as given, for messages
 */
record Address(String text, SocketAddress socket) {
    private static final Pattern UNIX = Pattern.compile("unix:(?://)?(.+)");
    private static final Pattern TCP = Pattern.compile("(?:\\[(.+)]|([^:/\\s]+)):(\\d{1,5})");

    static Address of(String text) throws WrongSettings {
        Matcher unix = UNIX.matcher(text);
        if (unix.matches()) {
            return new Address(text, UnixDomainSocketAddress.of(unix.group(1)));
        }
        Matcher tcp = TCP.matcher(text);
        if (!tcp.matches() || Integer.parseInt(tcp.group(3)) > 65_535) {
            throw new WrongSettings(
                    "ARENA_ADDRESS has to be unix:/path or host:port, not \"" + text + "\".");
        }
        String host = tcp.group(1) != null ? tcp.group(1) : tcp.group(2);
        int port = Integer.parseInt(tcp.group(3));
        return new Address(text, InetSocketAddress.createUnresolved(host, port));
    }

    boolean isOnThisMachine() {
        return socket instanceof UnixDomainSocketAddress;
    }
}
