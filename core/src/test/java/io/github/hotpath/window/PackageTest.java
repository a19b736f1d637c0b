package io.github.hotpath.window;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.testing.NullPointerTester;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How narrow the door is. */
class PackageTest {
    private static final Module MODULE = EventWindow.class.getModule();

    @Test
    void publicMethods_null_isRejected() {
        NullPointerTester tester = new NullPointerTester().setDefault(Duration.class, Duration.ofNanos(1));

        tester.testAllPublicStaticMethods(EventWindow.class);
        tester.testAllPublicStaticMethods(ConcurrentEventWindow.class);
        tester.testAllPublicInstanceMethods(Windows.ofNanos(10));
        tester.testAllPublicInstanceMethods(Windows.concurrentOfNanos(10));
    }

    @Test
    void module_exportsItsTwoPackagesToAll() {
        ModuleDescriptor descriptor = descriptor();

        assertThat(descriptor.name()).isEqualTo("io.github.hotpath");
        assertThat(descriptor.exports())
                .extracting(ModuleDescriptor.Exports::toString) // with whom it is for, if not for all
                .containsExactlyInAnyOrder("io.github.hotpath.files", "io.github.hotpath.window");
        assertThat(descriptor.opens()).isEmpty();
    }

    @Test
    void module_needsNothingAtRunTime() {
        ModuleDescriptor descriptor = descriptor();

        Set<String> needed = descriptor.requires().stream()
                .filter(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
                .map(Requires::name)
                .collect(toSet());

        assertThat(needed).containsExactly("java.base");
    }

    @Test
    void package_hasTwoPublicTypes() throws IOException {
        String name = descriptor().name();
        ModuleReference module =
                MODULE.getLayer().configuration().findModule(name).orElseThrow().reference();

        try (ModuleReader reader = module.open();
                Stream<String> entries = reader.list()) {
            assertThat(entries.filter(entry -> entry.matches("io/github/hotpath/window/\\w[\\w$]*\\.class"))
                            .filter(entry -> !entry.contains("Test$")) // public for Lincheck, which calls them
                            .map(entry -> Class.forName(
                                    MODULE, entry.replace(".class", "").replace('/', '.')))
                            .filter(type -> Modifier.isPublic(type.getModifiers()))
                            .map(Class::getName))
                    .containsExactlyInAnyOrder(EventWindow.class.getName(), ConcurrentEventWindow.class.getName());
        }
    }

    private static ModuleDescriptor descriptor() {
        assumeTrue(MODULE.isNamed(), "on the class path there is no module");
        return MODULE.getDescriptor();
    }
}
