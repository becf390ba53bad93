package sevens.sdk;

import java.time.Duration;

/**
 * A seat's time.
 *
 * @param bank the time for the whole match
 * @param increment the time that each decision adds
 */
public record Clock(Duration bank, Duration increment) {}
