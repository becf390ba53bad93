package sevens.sdk;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Map;

/** The use of TLS and the certificates to trust, from the environment. */
final class Security {
    private Security() {}

    static ChannelCredentials from(Map<String, String> environment) throws WrongSettings {
        String wanted = environment.getOrDefault("ARENA_TLS", "");
        String authorities = environment.getOrDefault("ARENA_TLS_CA", "");
        return switch (wanted) {
            case "", "0" -> InsecureChannelCredentials.create();
            case "1" ->
                    authorities.isEmpty() ? TlsChannelCredentials.create() : trusting(authorities);
            // Going on without TLS would send the token in clear text.
            default ->
                    throw new WrongSettings(
                            "ARENA_TLS has to be 1 (with TLS) or 0 (without), not \""
                                    + wanted
                                    + "\".");
        };
    }

    private static ChannelCredentials trusting(String file) throws WrongSettings {
        try {
            byte[] pem = Files.readAllBytes(Path.of(file));
            CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem));
            return TlsChannelCredentials.newBuilder()
                    .trustManager(new ByteArrayInputStream(pem))
                    .build();
        } catch (IOException | CertificateException useless) {
            throw new WrongSettings(
                    "The certificates of ARENA_TLS_CA, "
                            + file
                            + ", cannot be used: "
                            + useless
                            + ".");
        }
    }
}
