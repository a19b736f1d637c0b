package io.github.hotpath.window;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.util.Set;
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

    private static ModuleDescriptor descriptor() {
        assumeTrue(MODULE.isNamed(), "on the class path there is no module");
        return MODULE.getDescriptor();
    }
}
