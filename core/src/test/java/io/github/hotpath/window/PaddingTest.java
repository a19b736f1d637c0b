package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What records of several threads read or write is followed by two cache lines of padding. HotSpot places the fields of
 * a class behind those of its superclass, but the longs of one class before its references.
 */
class PaddingTest {
    private static final int CACHE_LINE = 64;
    private static final int TWO_CACHE_LINES = 2 * CACHE_LINE / Long.BYTES;

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

    /**
     * The garbage collector may move a stripe right behind the window, of which each record reads the table. Holds for
     * object headers of 12 bytes, HotSpot's default on JDK 17 and 25.
     */
    @Test
    void fieldsOfStripe_thatEachRecordWrites_areALineAwayFromTableOfWindowInFront()
            throws ReflectiveOperationException {
        long read = offset(ConcurrentEventWindow.class, "table") / Long.BYTES * Long.BYTES;
        long size = 0;
        for (Field field : ConcurrentEventWindow.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                size = Math.max(size, offset(ConcurrentEventWindow.class, field.getName()) / Long.BYTES + 1);
            }
        }
        for (String written : new String[] {"holder", "end", "latest"}) {
            long distance = size * Long.BYTES - read + offset(Stripe.class, written) / Long.BYTES * Long.BYTES;
            assertThat(distance).as(written).isGreaterThanOrEqualTo(CACHE_LINE);
        }
    }

    /** Where HotSpot places a field in its object. */
    private static long offset(Class<?> owner, String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe"); // nothing else tells it
        Field unsafe = type.getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        return (long)
                type.getMethod("objectFieldOffset", Field.class).invoke(unsafe.get(null), owner.getDeclaredField(name));
    }
}
