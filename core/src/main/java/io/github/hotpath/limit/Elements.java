package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;

/** Lists of arguments, whose elements are checked for null by index. */
final class Elements {
    private Elements() {}

    /** Returns the arguments {@code first} and {@code more} of a method as a list. */
    @SafeVarargs
    static <T> List<T> list(T first, T... more) {
        List<T> list = new ArrayList<>(1 + requireNonNull(more, "more").length);
        list.add(requireNonNull(first, "first"));
        for (int i = 0; i < more.length; i++) {
            list.add(requireNonNull(more[i], "more[" + i + "]"));
        }
        return list;
    }

    /** Returns a copy of the argument {@code name}, a list. */
    static <T> List<T> copyOf(List<? extends T> list, String name) {
        List<T> copy = new ArrayList<>(requireNonNull(list, name));
        for (int i = 0; i < copy.size(); i++) {
            requireNonNull(copy.get(i), name + "[" + i + "]");
        }
        return List.copyOf(copy);
    }
}
