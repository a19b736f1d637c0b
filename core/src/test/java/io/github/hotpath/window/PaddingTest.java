package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What records of several threads read or write is followed by two cache lines of padding. HotSpot places the fields of
 * a class behind those of its superclass, but the longs of one class before its references.
 */
class PaddingTest {
    private static final int TWO_CACHE_LINES = 2 * 64 / Long.BYTES;

    static Stream<Object> sharedObjects() {
        Stripe stripe = new Stripe.Padded(new EventWindow(1));
        StripeTable table = StripeTable.create(stripe);
        return Stream.of(stripe, table, table.with(stripe, 1));
    }

    @ParameterizedTest
    @MethodSource("sharedObjects")
    void fields_ofItsOwnClass_arePadding(Object object) {
        assertThat(Arrays.stream(object.getClass().getDeclaredFields())
                        .filter(field -> !Modifier.isStatic(field.getModifiers()))
                        .filter(field -> !field.isSynthetic())) // JaCoCo's
                .hasSize(TWO_CACHE_LINES)
                .allMatch(field -> field.getType() == long.class);
    }
}
