package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterStep.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A few steps for each of two or three threads, some before them and some after them; and what they may return: whatever
 * they would return one after another, in some order, on the model.
 *
 * <p>Keys may be evicted at other moments than the model evicts them. So a history that is not explained at first is
 * looked at again, with an eviction of an idle key at any place, and evictions of several keys one by one. A call evicts
 * after it has taken effect, so an eviction may come last of all.
 */
final class HistoryProgram {
    /** The most steps. */
    static final int STEPS = 32;

    private static final int EVICTIONS = 3;

    /** After the first one: within the interval, and without. */
    private static final int[] TIMES = {0, 4, 11, 12};

    private static final List<List<Limit>> PLANS = List.of(
            List.of(Limit.of(2, Duration.ofNanos(10))),
            List.of(Limit.of(1, Duration.ofNanos(10))),
            List.of(Limit.of(3, Duration.ofNanos(10)), Limit.of(4, Duration.ofNanos(20))),
            List.of(Limit.ofCalls(2, Duration.ofNanos(10))));

    /** A limiter, two keys of a keyed limiter, and one of another: what the steps are made on. */
    static final LimiterWorld.Setting SETTING =
            new LimiterWorld.Setting(List.of(PLANS.get(0)), List.of(PLANS.get(0), PLANS.get(0)), PLANS);

    static final int SERVICE = 0;
    static final int USER = LimiterWorld.USERS;
    static final int OTHER_USER = USER + 1;
    static final int TENANT = LimiterWorld.TENANTS;
    static final List<Integer> MEMBERS = List.of(SERVICE, USER, OTHER_USER, TENANT);

    private static final List<List<Integer>> TOGETHER = List.of(
            List.of(SERVICE, USER),
            List.of(USER, TENANT),
            List.of(TENANT, USER),
            List.of(USER, OTHER_USER),
            List.of(OTHER_USER, USER),
            List.of(USER, TENANT, SERVICE),
            List.of(TENANT, OTHER_USER, SERVICE),
            List.of(SERVICE, OTHER_USER, USER));

    private final SplittableRandom random;
    private final long base;

    /** When the steps after all threads are made; the base if all calls are made then, so that an eviction cannot show. */
    private final long end;

    private int steps;
    final List<LimiterStep> before = new ArrayList<>();
    final List<List<LimiterStep>> threads = new ArrayList<>();
    final List<LimiterStep> after = new ArrayList<>();
    private final Node root = new Node(null, world -> "done");

    HistoryProgram(SplittableRandom random) {
        this.random = random;
        this.base = random.nextBoolean() ? Long.MAX_VALUE - 5 : random.nextInt(100);
        this.end = random.nextInt(3) > 0 ? base : base + 12;
        int count = random.nextInt(3) == 0 ? 3 : 2;
        for (int left = random.nextInt(4); left > 0; left--) {
            before.add(step(before, count));
        }
        for (int thread = 0; thread < count; thread++) {
            List<LimiterStep> made = new ArrayList<>(before);
            for (int left = 1 + random.nextInt(count == 2 ? 3 : 2); left > 0; left--) {
                made.add(step(made, count));
            }
            threads.add(List.copyOf(made.subList(before.size(), made.size())));
        }
        addLast();
    }

    /** A program of given steps; what is there is read at the latest of their times. */
    HistoryProgram(List<LimiterStep> before, List<List<LimiterStep>> threads) {
        this.random = new SplittableRandom(0);
        this.base = 0;
        this.before.addAll(before);
        this.threads.addAll(threads);
        List<LimiterStep> given = new ArrayList<>(before);
        threads.forEach(given::addAll);
        this.steps = 1 + given.stream().mapToInt(LimiterStep::number).max().orElseThrow();
        this.end = given.stream().mapToLong(LimiterStep::nanos).max().orElseThrow();
        addLast();
    }

    /** What is there when all threads have finished, read before and after the reservations are cancelled. */
    private void addLast() {
        List<LimiterStep> reserving = new ArrayList<>(before);
        threads.forEach(reserving::addAll);
        reserving.removeIf(step -> step.member() != Member.RESERVE);
        after.add(new LimiterStep(steps++, Member.SIZE_AT_REST, List.of(USER), end, 0, 0));
        after.add(new LimiterStep(steps++, Member.SIZE_AT_REST, List.of(TENANT), end, 0, 0));
        for (int member : MEMBERS) {
            after.add(new LimiterStep(steps++, Member.PEEK, List.of(member), end, 1, 0));
        }
        reserving.forEach(step -> after.add(new LimiterStep(steps++, Member.ADJUST, List.of(), end, 0, step.number())));
        for (int member : MEMBERS) {
            after.add(new LimiterStep(steps++, Member.AVAILABLE, List.of(member), end, 1, 0));
        }
    }

    private LimiterStep step(List<LimiterStep> made, int count) {
        List<Integer> targets =
                random.nextBoolean() ? List.of(any(MEMBERS)) : TOGETHER.get(random.nextInt(TOGETHER.size()));
        long nanos = base + (end == base ? 0 : TIMES[random.nextInt(TIMES.length)]);
        int permits = 1 + random.nextInt(5) / 4;
        int plan = random.nextInt(PLANS.size());
        List<LimiterStep> reserving =
                made.stream().filter(step -> step.member() == Member.RESERVE).toList();
        List<Integer> key = List.of(MEMBERS.get(1 + random.nextInt(3)));
        return switch (random.nextInt(36)) {
            case 0, 1, 2, 3, 4, 5, 6 -> next(Member.TRY_ACQUIRE, targets, nanos, permits, 0);
            case 7, 8, 9 -> next(Member.TRY_ACQUIRE_OR_DELAY, targets, nanos, permits, 0);
            case 10, 11, 12, 13 -> next(Member.RESERVE, targets, nanos, permits, random.nextInt(2) * 15);
            case 14, 15 -> next(Member.DECIDE, targets, nanos, permits, 0);
            case 16 -> next(Member.PEEK, targets, nanos, permits, 0);
            case 17 -> next(Member.AVAILABLE, targets, nanos, 0, 0);
            case 18 -> next(Member.IS_IDLE, targets, nanos, 0, 0);
            case 19, 20 -> next(Member.RECORD, targets, nanos, permits, 0);
            case 21 -> next(Member.CLOSE_FOR, targets, nanos, 0, random.nextInt(8));
            case 22, 23 -> next(Member.CLEAR, List.of(any(MEMBERS)), 0, 0, 0);
            case 24, 25 -> next(Member.REMOVE, key, 0, 0, 0);
            case 26, 27 -> next(Member.SET_LIMITS, List.of(SERVICE), 0, 0, plan);
            // with three threads, two could ask for limits while a third is about to say that they have changed
            case 28 -> count > 2 ? step(made, count) : next(Member.UPDATE_LIMITS, user(), 0, 0, plan);
            case 29 -> count > 2 ? step(made, count) : next(Member.UPDATE_ALL_LIMITS, user(), 0, 0, plan);
            case 30, 31 -> next(Member.EVICT_IDLE, key, nanos, 0, 0);
            case 32 -> next(Member.SIZE, key, 0, 0, 0);
            case 33 -> next(Member.WRITE, key, nanos, 0, 0);
            default ->
                reserving.isEmpty()
                        ? step(made, count)
                        : next(
                                Member.ADJUST,
                                List.of(),
                                0,
                                random.nextInt(3),
                                any(reserving).number());
        };
    }

    private LimiterStep next(Member member, List<Integer> targets, long nanos, int permits, int argument) {
        return new LimiterStep(steps++, member, targets, nanos, permits, argument);
    }

    private List<Integer> user() {
        return List.of(USER + random.nextInt(2));
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    /** Where a sequence of steps has come to, and what the last one has returned. */
    private final class Node {
        private final @Nullable Node before;
        private final Function<NaiveWorld, @Nullable String> last;
        private final Node[] next = new Node[4];
        private @Nullable String returned;
        private @Nullable List<String> end;

        Node(@Nullable Node before, Function<NaiveWorld, @Nullable String> last) {
            this.before = before;
            this.last = last;
        }

        /** Makes all steps to here again, on a new model. */
        private NaiveWorld replay() {
            NaiveWorld world = before == null ? new NaiveWorld(SETTING) : before.replay();
            returned = last.apply(world);
            return world;
        }

        @Nullable
        String returned() {
            if (returned == null) {
                replay();
            }
            return returned;
        }

        /** Returns what the steps after all threads return. */
        List<String> end() {
            if (end == null) {
                NaiveWorld world = replay();
                end = after.stream().map(world::make).toList();
            }
            return end;
        }

        Node next(int sequence, LimiterStep step) {
            if (next[sequence] == null) {
                next[sequence] = new Node(this, world -> world.make(step));
            }
            return next[sequence];
        }
    }

    /** What the steps have returned, by their numbers, and how many of each thread had returned before each began. */
    record History(Object[] returned, int[][] finished) {}

    /** Returns whether the calls could have returned so one after another. */
    boolean explains(History history) {
        return new Search(history, false).isExplained(root, 0)
                || new Search(history, true).isExplained(root, EVICTIONS);
    }

    /** Looks for an order of the steps. */
    private final class Search {
        private final History history;

        /** Whether keys are evicted at any place, and not by the steps that evict. */
        private final boolean isFree;

        /** The steps of each thread, and those before all. */
        private final List<List<LimiterStep>> sequences = new ArrayList<>(threads);

        private final int[] made;

        /** When keys may be evicted: at the times of the calls. */
        private final List<Long> times;

        Search(History history, boolean isFree) {
            this.history = history;
            this.isFree = isFree;
            sequences.add(before);
            made = new int[sequences.size()];
            times = sequences.stream()
                    .flatMap(List::stream)
                    .filter(step -> !step.isWithoutTime())
                    .map(LimiterStep::nanos)
                    .distinct()
                    .toList();
        }

        boolean isExplained(Node node, int evictions) {
            boolean isEnd = true;
            for (int sequence = 0; sequence < made.length; sequence++) {
                if (made[sequence] < sequences.get(sequence).size()) {
                    isEnd = false;
                    LimiterStep step = sequences.get(sequence).get(made[sequence]);
                    if (mayBeNext(step) && isExplainedBy(step, sequence, node, evictions)) {
                        return true;
                    }
                }
            }
            return isEnd && isEndSame(node) || evictions > 0 && isExplainedByEviction(node, evictions);
        }

        private boolean mayBeNext(LimiterStep step) {
            int[] finished = history.finished[step.number()];
            return finished == null
                    || made[threads.size()] == before.size()
                            && IntStream.range(0, finished.length).allMatch(thread -> made[thread] >= finished[thread]);
        }

        private boolean isExplainedBy(LimiterStep step, int sequence, Node node, int evictions) {
            return nexts(step, sequence, node).anyMatch(next -> {
                if (!isSame(history.returned[step.number()], next.returned())) {
                    return false;
                }
                made[sequence]++;
                boolean isExplained = isExplained(next, evictions);
                made[sequence]--;
                return isExplained;
            });
        }

        private Stream<Node> nexts(LimiterStep step, int sequence, Node node) {
            return !isFree
                    ? Stream.of(node.next(sequence, step))
                    : step.member() == Member.EVICT_IDLE
                            ? Stream.of(new Node(node, world -> "done"))
                            : Stream.concat(
                                    Stream.of(new Node(node, world -> world.make(step))),
                                    updatesDuring(step, sequence)
                                            .map(update -> new Node(node, world -> world.makeAsked(step, update))));
        }

        /** The limits of a key without entry may be asked for before an update takes effect, and be the new ones. */
        private Stream<LimiterStep> updatesDuring(LimiterStep step, int sequence) {
            int index = sequence < threads.size() ? threads.get(sequence).indexOf(step) : 0;
            return threads.stream()
                    .flatMap(List::stream)
                    .filter(update -> update.isUpdate()
                            && step.targets().contains(update.target())
                            && sequence < threads.size()
                            && history.finished[update.number()][sequence] <= index);
        }

        private boolean isExplainedByEviction(Node node, int evictions) {
            for (int evicted : node.replay().keys()) {
                for (long nanos : times) {
                    Node next = new Node(node, world -> world.evict(evicted, nanos) ? "done" : null);
                    if (next.returned() != null && isExplained(next, evictions - 1)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean isEndSame(Node node) {
            List<String> end = node.end();
            return IntStream.range(0, end.size())
                    .allMatch(i -> isSame(history.returned[after.get(i).number()], end.get(i)));
        }
    }

    private static boolean isSame(Object returned, String expected) {
        int to = expected.indexOf("..");
        return to < 0
                ? returned.toString().equals(expected)
                : (int) returned >= Integer.parseInt(expected.substring(0, to))
                        && (int) returned <= Integer.parseInt(expected.substring(to + 2));
    }

    String report(History history) {
        StringBuilder text = new StringBuilder("before:\n");
        before.forEach(step -> append(step, history, text));
        for (int thread = 0; thread < threads.size(); thread++) {
            text.append("thread ").append(thread).append(":\n");
            for (LimiterStep step : threads.get(thread)) {
                append(step, history, text);
            }
        }
        text.append("after:\n");
        after.forEach(step -> append(step, history, text));
        return text.toString();
    }

    private static void append(LimiterStep step, History history, StringBuilder text) {
        text.append("  ").append(step).append(" -> ").append(history.returned[step.number()]);
        int[] finished = history.finished[step.number()];
        if (finished != null) {
            text.append("   (begun when each thread had made ")
                    .append(Arrays.toString(finished))
                    .append(')');
        }
        text.append('\n');
    }
}
