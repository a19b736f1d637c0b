package io.github.hotpath.testing;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Private fields, read and broken by tests. */
public final class Fields {
    private Fields() {}

    public static @Nullable Object get(Object part, String name) {
        try {
            return field(part, name).get(part);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    public static void set(Object part, String name, Object value) {
        try {
            field(part, name).set(part, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a field of the object, possibly declared in a superclass. */
    private static Field field(Object part, String name) {
        for (Class<?> type = part.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new AssertionError(name);
    }
}
