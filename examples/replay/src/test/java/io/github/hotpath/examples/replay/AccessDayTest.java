package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccessDayTest {
    private static List<String> lines(double scale) {
        List<String> lines = new ArrayList<>();
        AccessDay day = new AccessDay(scale);
        for (String line = day.next(); line != null; line = day.next()) {
            lines.add(line);
        }
        assertThat(day.next()).isNull();
        assertThat(day.position()).isEqualTo(day.length());
        return lines;
    }

    @Test
    void next_day_isReadableAndInOrder() throws UnreadableLineException {
        AccessFormat format = new AccessFormat(KeyFormat.field(1));
        Map<String, Integer> clients = new HashMap<>();
        long before = Long.MIN_VALUE;

        for (String line : lines(0.05)) {
            Request request = format.read(line);
            assertThat(request.nanos()).isGreaterThanOrEqualTo(before);
            before = request.nanos();
            clients.merge(request.key(), 1, Integer::sum);
        }

        assertThat(clients).containsEntry("198.51.100.7", 30_000).containsEntry("203.0.113.66", 14_400);
        assertThat(clients.get("2001:db8::100")).isEqualTo(24 * 60 * 60 / 5);
        assertThat(clients).hasSizeGreaterThan(500);
    }

    @Test
    void next_again_isTheSame() {
        assertThat(lines(0.01)).isEqualTo(lines(0.01)).hasSizeGreaterThan(100_000);
    }
}
