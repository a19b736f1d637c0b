package io.github.hotpath.testing;

import io.github.hotpath.limit.Limit;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a window or a limiter consists of, found by reflection: its values, and how many bytes it takes. What a
 * static field holds belongs to all of them, and takes none.
 */
public final class Structure {
    /** The length of an object's header in a JVM with compressed class pointers, the usual one. */
    private static final int HEADER = 12;

    private static final int ARRAY_HEADER = 16;
    private static final int REFERENCE = 4;

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final StringBuilder description = new StringBuilder();
    private long bytes;

    /** Kept, so that the JIT does not do without it. */
    private @Nullable Object copy;

    private Structure(Object window) {
        visit(window);
    }

    /** Returns every field of {@code window} with its value, also of the storage, also of unused places. */
    public static String describe(Object window) {
        return new Structure(window).description.toString();
    }

    /** Returns how many bytes of the heap are released with {@code window}. */
    public static long bytes(Object window) {
        return new Structure(window).bytes;
    }

    private void visit(@Nullable Object part) {
        if (part == null) {
            description.append("null");
        } else if (!seen.add(part)) {
            description.append("same");
        } else if (part instanceof long[] times) {
            description.append(Arrays.toString(times));
            bytes += aligned(ARRAY_HEADER + (long) Long.BYTES * times.length);
        } else if (part instanceof Object[] parts) {
            description.append("parts");
            bytes += aligned(ARRAY_HEADER + (long) REFERENCE * parts.length);
            Arrays.asList(parts).forEach(this::visit);
        } else if (part instanceof ArrayDeque<?> deque) {
            description.append("deque");
            deque.forEach(this::visit);
            bytes += Allocation.of(() -> copy = deque.clone()); // nothing else tells how long its array is
        } else if (part instanceof Limit) {
            description.append(part); // of the caller, and shared
        } else if (part.getClass().getPackageName().startsWith("io.github.hotpath")) {
            visitFields(part);
        } else {
            throw new AssertionError("a kind of part that this class has not heard of: " + part.getClass());
        }
    }

    private void visitFields(Object part) {
        skipShared(part.getClass());
        long size = HEADER;
        for (Class<?> type = part.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    description.append('\n').append(field.getName()).append('=');
                    size += visitField(field, part);
                }
            }
        }
        bytes += aligned(size);
    }

    private void skipShared(Class<?> type) {
        for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType().isArray()) {
                    seen.add(valueOf(field, null));
                }
            }
        }
    }

    private int visitField(Field field, Object part) {
        Object value = valueOf(field, part);
        if (!field.getType().isPrimitive()) {
            visit(value);
            return REFERENCE;
        }
        description.append(value);
        if (value instanceof Long || value instanceof Double) {
            return Long.BYTES;
        }
        return value instanceof Boolean ? 1 : value instanceof Short ? Short.BYTES : Integer.BYTES;
    }

    private static @Nullable Object valueOf(Field field, @Nullable Object part) {
        try {
            field.setAccessible(true);
            return field.get(part);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static long aligned(long bytes) {
        return (bytes + 7) / 8 * 8;
    }
}
