package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexPageTest {
    private final IndexPage page = new IndexPage("a < b & c");

    @Test
    void lines_text_escaped() {
        page.heading("x > y");
        page.paragraph("<init>");

        assertThat(page.lines())
                .contains(
                        "<title>a &lt; b &amp; c</title>",
                        "<h1>a &lt; b &amp; c</h1>",
                        "<h2>x &gt; y</h2>",
                        "<p>&lt;init&gt;</p>");
    }

    @Test
    void table_rows_headerFirst() {
        Table table = new Table("stage", "samples");
        table.add(List.of("original", "5"));

        page.table(table);

        assertThat(page.lines())
                .endsWith(
                        "<div><table>",
                        "<tr>",
                        "<th>stage</th>",
                        "<th>samples</th>",
                        "</tr>",
                        "<tr>",
                        "<td>original</td>",
                        "<td>5</td>",
                        "</tr>",
                        "</table></div>");
    }

    @Test
    void links_files_nameAndWhatEachLinkSays() {
        page.links("original", Map.of("original.html", "flame graph"));

        assertThat(page.lines()).endsWith("<p><b>original</b>", "· <a href=\"original.html\">flame graph</a>", "</p>");
    }
}
