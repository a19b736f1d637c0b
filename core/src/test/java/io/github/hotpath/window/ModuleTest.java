package io.github.hotpath.window;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the module exports, and what it needs. */
class ModuleTest {
    private static final Module MODULE = EventWindow.class.getModule();

    @Test
    void module_exportsItsThreePackagesToAll() {
        ModuleDescriptor descriptor = descriptor();

        assertThat(descriptor.name()).isEqualTo("io.github.hotpath");
        assertThat(descriptor.exports())
                .extracting(ModuleDescriptor.Exports::toString) // with whom it is for, if not for all
                .containsExactlyInAnyOrder(
                        "io.github.hotpath.files", "io.github.hotpath.limit", "io.github.hotpath.window");
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
    void module_publicTypes_areThoseOfTheContract() throws IOException, URISyntaxException {
        Path classes = Path.of(EventWindow.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        try (Stream<Path> files = Files.walk(classes)) {
            assertThat(files.map(file -> classes.relativize(file).toString())
                            .filter(name -> name.endsWith(".class") && !name.contains("-info"))
                            .map(name -> name.replace(".class", "").replace(File.separatorChar, '.'))
                            .map(name -> Class.forName(MODULE, name))
                            .filter(type -> Modifier.isPublic(type.getModifiers()) && !type.isMemberClass())
                            .filter(type -> !type.getPackageName().equals("io.github.hotpath.internal"))
                            .map(Class::getSimpleName))
                    .containsExactlyInAnyOrder(
                            "EventWindow",
                            "ConcurrentEventWindow",
                            "BoundedEventWindow",
                            "Limit",
                            "Limiter",
                            "Decision",
                            "Quota",
                            "SlidingWindowLimiter",
                            "KeyedLimiter",
                            "BlockingLimiter",
                            "Reservation",
                            "Dirs");
        }
    }

    private static ModuleDescriptor descriptor() {
        assumeTrue(MODULE.isNamed(), "on the class path there is no module");
        return MODULE.getDescriptor();
    }
}
