package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.examples.fleet.MemberDirectory.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemberDirectoryTest {
    private static final FleetMembers MEMBERS = members("api", 1);

    @TempDir
    private Path base;

    private static FleetMembers members(String name, int firstPort) {
        return FleetMembers.of(name, "a:" + firstPort, "b:2", "c:3");
    }

    private MemberDirectory open(FleetMembers members, int own, Step first) throws IOException {
        return MemberDirectory.open(base.resolve("dir"), members, own, first);
    }

    private void assertRefused(FleetMembers members, int own, Step first, String message) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> open(members, own, first))
                .withMessageStartingWith("dir: " + base.resolve("dir") + message);
    }

    @Test
    void open_emptyDirectory_isNoMember() throws IOException {
        String message = " is empty (expected: the directory of b:2; if this is its first start, create it; if its "
                + "directory is lost, replace it)";
        assertRefused(MEMBERS, 1, Step.MEMBER, message);
        Files.createDirectories(base.resolve("dir/lost+found")); // as in a volume that is new
        assertRefused(MEMBERS, 1, Step.MEMBER, message);
        assertThat(base.resolve("dir/fleet.properties")).doesNotExist();
        assertThat(open(MEMBERS, 1, Step.CREATED).step()).isEqualTo(Step.CREATED);
    }

    @Test
    void open_otherFilesAreThere_isRefused() throws IOException {
        Files.createDirectory(base.resolve("dir"));
        Files.createFile(base.resolve("dir/mine"));

        for (Step first : new Step[] {Step.CREATED, Step.REPLACING, Step.MEMBER}) {
            assertRefused(MEMBERS, 1, first, " has other files");
        }
    }

    @Test
    void open_directoryOfAnother_isRefused() throws IOException {
        open(MEMBERS, 1, Step.CREATED);

        for (Step first : new Step[] {Step.CREATED, Step.REPLACING, Step.MEMBER}) {
            assertRefused(MEMBERS, 2, first, " has member b:2 (expected: c:3)");
            assertRefused(members("other", 1), 1, first, " has fleet api (expected: other)");
            assertRefused(members("api", 9), 1, first, " has members [a:1, b:2, c:3] (expected: [a:9, b:2, c:3])");
        }
    }

    /** The directory says how far it is, whatever it is opened for: a start that was interrupted goes on. */
    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"FORMING", "REPLACING", "REPLACED"})
    void open_firstStartInterrupted_goesOn(Step reached) throws IOException {
        open(MEMBERS, 0, Step.CREATED).reach(reached);

        for (Step first : new Step[] {Step.CREATED, Step.REPLACING, Step.MEMBER}) {
            assertThat(open(MEMBERS, 0, first).step()).isEqualTo(reached);
        }
    }

    /** It may have been created in vain, while the others ran. */
    @Test
    void open_createdBefore_canReplaceUntilItHasALog() throws IOException {
        open(MEMBERS, 0, Step.CREATED);
        assertThat(open(MEMBERS, 0, Step.MEMBER).step()).isEqualTo(Step.CREATED);
        assertThat(open(MEMBERS, 0, Step.REPLACING).step()).isEqualTo(Step.REPLACING);

        open(MEMBERS, 0, Step.MEMBER).reach(Step.CREATED);
        Files.createDirectories(base.resolve("dir/" + MEMBERS.group().getUuid()));
        assertThat(open(MEMBERS, 0, Step.REPLACING).step()).isEqualTo(Step.CREATED);
    }

    /** So a request that is of the lost member is not of the one in its place. */
    @Test
    void peer_replaced_hasAnIdThatNobodyHadBefore() throws IOException {
        RaftPeer first = MEMBERS.peers().get(0);
        assertThat(open(MEMBERS, 0, Step.CREATED).peer(first).getId()).isEqualTo(first.getId());
        RaftPeer replacement = open(MEMBERS, 0, Step.REPLACING).peer(first);
        open(MEMBERS, 0, Step.REPLACING).reach(Step.REPLACED);
        assertThat(open(MEMBERS, 0, Step.MEMBER).peer(first).getId()).isEqualTo(replacement.getId());
        assertThat(replacement.getAddress()).isEqualTo(first.getAddress());
        Files.delete(base.resolve("dir/fleet.properties"));
        RaftPeer next = open(MEMBERS, 0, Step.REPLACING).peer(first);

        assertThat(List.of(first.getId(), replacement.getId(), next.getId())).doesNotHaveDuplicates();
    }

    @Test
    void open_logOfAMemberIsGone_isRefused() throws IOException {
        open(MEMBERS, 0, Step.CREATED).reach(Step.MEMBER);

        assertRefused(MEMBERS, 0, Step.MEMBER, " has no log");
        assertRefused(MEMBERS, 0, Step.CREATED, " has no log");
        Path log = base.resolve("dir/" + MEMBERS.group().getUuid() + "/current");
        Files.createDirectories(log);
        Files.createFile(log.resolve("raft-meta"));
        assertThat(open(MEMBERS, 0, Step.MEMBER).step()).isEqualTo(Step.MEMBER);
    }
}
