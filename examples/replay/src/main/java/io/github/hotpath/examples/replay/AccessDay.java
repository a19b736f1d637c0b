package io.github.hotpath.examples.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The access log of a day of a service that does not exist, always the same: people who open pages, an office behind one
 * address, scripts that poll, a scraper in the night, and from 14:00 on a client that tries again and again.
 */
final class AccessDay implements LogReader.Lines {
    private static final int MINUTES = 24 * 60;

    private final SplittableRandom random = new SplittableRandom(20261120);
    private final List<Visit> visits = new ArrayList<>();
    private int minute;
    private int next;

    /** A request in a second of the minute. */
    private record Visit(int second, String address, String request, String agent) {}

    @Override
    public @Nullable String next() {
        while (next == visits.size() && minute < MINUTES) {
            visits.clear();
            next = 0;
            addMinute();
            visits.sort(Comparator.comparingInt(Visit::second));
            minute++;
        }
        return next == visits.size() ? null : line(visits.get(next++), minute - 1);
    }

    private static String line(Visit visit, int minute) {
        return visit.address + " - - [20/Nov/2026:" + two(minute / 60) + ":" + two(minute % 60) + ":"
                + two(visit.second) + " +0000] \"" + visit.request + " HTTP/1.1\" 200 5120 \"-\" \"" + visit.agent
                + "\"";
    }

    private static String two(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }

    private void addMinute() {
        for (int pages = random.nextInt(30, 70); pages > 0; pages--) {
            double place = random.nextDouble(); // a few open many pages, most of them some
            int person = (int) (place * place * 12_000);
            addPage("10." + (person >> 16) + "." + (person >> 8 & 255) + "." + (person & 255));
        }
        boolean isOfficeOpen = minute >= 8 * 60 && minute < 17 * 60;
        for (int pages = isOfficeOpen ? random.nextInt(4, 16) : 0; pages > 0; pages--) {
            addPage("192.0.2.1");
        }
        for (int script = 0; script < 40; script++) { // each once in so many seconds
            int period = 5 + script;
            for (int second = Math.floorMod(script - 60 * minute, period); second < 60; second += period) {
                visits.add(new Visit(second, "2001:db8::" + Integer.toHexString(256 + script), "GET /status", "poll"));
            }
        }
        addEach("203.0.113.66", minute >= 180 && minute < 210 ? 480 : 0, "GET /items", "scraper");
        addEach("198.51.100.7", minute >= 840 && minute < 860 ? 1500 : 0, "POST /orders", "orders-client");
    }

    /** A page, and what it loads within two seconds. */
    private void addPage(String address) {
        int first = random.nextInt(58);
        int assets = random.nextInt(2, 8) + (random.nextInt(30) == 0 ? random.nextInt(30) : 0); // a page of pictures
        for (int i = 0; i <= assets; i++) {
            visits.add(new Visit(first + (i == 0 ? 0 : random.nextInt(3)), address, "GET /pages/" + i, "Mozilla/5.0"));
        }
    }

    private void addEach(String address, int number, String request, String agent) {
        for (int i = 0; i < number; i++) {
            visits.add(new Visit(random.nextInt(60), address, request, agent));
        }
    }

    @Override
    public String toString() {
        return "A generated day, 2026-11-20";
    }
}
