package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.replay.AccessFormat.Key;
import io.github.hotpath.examples.replay.LineFormat.Request;
import io.github.hotpath.examples.replay.Times.Unit;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccessDayTest {
    @Test
    void next_day_isReadableInOrderAndTheSameAgain() throws UnreadableLineException {
        AccessFormat format = new AccessFormat(Key.ADDRESS, new Times(Unit.S, ZoneOffset.UTC));
        AccessDay day = new AccessDay();
        AccessDay again = new AccessDay();
        Map<String, Integer> clients = new HashMap<>();
        long before = Long.MIN_VALUE;

        for (String line = day.next(); line != null; line = day.next()) {
            assertThat(line).isEqualTo(again.next());
            Request request = format.read(line);
            assertThat(request.nanos()).isGreaterThanOrEqualTo(before);
            before = request.nanos();
            clients.merge(request.key(), 1, Integer::sum);
        }

        assertThat(again.next()).isNull();
        assertThat(clients)
                .hasSizeGreaterThan(10_000)
                .containsEntry("198.51.100.7", 30_000)
                .containsEntry("203.0.113.66", 14_400)
                .containsEntry("2001:db8::100", 24 * 60 * 60 / 5);
    }
}
