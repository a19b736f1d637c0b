package io.github.hotpath.files;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** What the classes of the suite over providers share: an empty {@link Place} for each test. */
abstract class ProviderTest {
    @Parameter
    Provider provider;

    @TempDir
    Path temp;

    Place place;

    @BeforeEach
    void openPlace() throws IOException {
        place = provider.open(temp);
    }

    @AfterEach
    void closePlace() throws IOException {
        place.close();
    }
}
