package sevens.sdk;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RunnerTest {
    @Test
    void the_bot_tells_the_version_that_is_built() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        String version = "<artifactId>sevens-sdk</artifactId>\n  <version>%s</version>";
        assertTrue(pom.contains(version.formatted(Runner.VERSION)));
    }
}
