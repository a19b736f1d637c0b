package io.github.hotpath.examples.replay;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The access log of a day of a service that does not exist, always the same: people who open pages in the daytime, an
 * office behind one address, scripts that poll, crawlers, a scraper in the night, and from 14:00 on a client that tries
 * again and again.
 */
final class AccessDay implements LogReader.Lines {
    private static final LocalDate DAY = LocalDate.of(2026, 11, 20);
    private static final int MINUTES = 24 * 60;
    private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

    private final SplittableRandom random = new SplittableRandom(20261120);
    private final List<Visit> visits = new ArrayList<>();
    private int minute;
    private int next;

    /** A request in a second of the minute. */
    private record Visit(int second, String address, String request, int status, String agent)
            implements Comparable<Visit> {
        @Override
        public int compareTo(Visit other) {
            return Integer.compare(second, other.second);
        }
    }

    @Override
    public @Nullable String next() {
        while (next == visits.size() && minute < MINUTES) {
            visits.clear();
            next = 0;
            addMinute();
            Collections.sort(visits);
            minute++;
        }
        return next == visits.size() ? null : line(visits.get(next++));
    }

    private String line(Visit visit) {
        int at = minute - 1;
        return visit.address + " - - [" + two(DAY.getDayOfMonth()) + "/Nov/" + DAY.getYear() + ":" + two(at / 60) + ":"
                + two(at % 60) + ":" + two(visit.second) + " +0000] \"" + visit.request + " HTTP/1.1\" " + visit.status
                + " " + (visit.status == 200 ? 5120 : 153) + " \"-\" \"" + visit.agent + "\"";
    }

    private static String two(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }

    private void addMinute() {
        addPeople();
        addOffice();
        addScripts();
        addCrawlers();
        boolean isNight = minute >= 3 * 60 && minute < 3 * 60 + 30;
        if (isNight) {
            addEach("203.0.113.66", 8 * 60, "GET /items/" + minute, 200, "scraper/1.0");
        }
        boolean isBroken = minute >= 14 * 60 && minute < 14 * 60 + 20;
        if (isBroken) {
            addEach("198.51.100.7", 25 * 60, "POST /api/orders", 503, "orders-client/2.3");
        }
    }

    /** A third as many in the night as at 15:00. */
    private double daylight() {
        return 0.65 + 0.35 * Math.cos(2 * Math.PI * (minute - 15 * 60) / MINUTES);
    }

    private void addPeople() {
        int pages = (int) Math.round(75 * daylight() * (0.9 + 0.2 * random.nextDouble()));
        for (int i = 0; i < pages; i++) {
            double place = random.nextDouble(); // a few open many pages, most of them some
            int person = (int) (place * place * 12_000);
            addPage("10." + (person >> 16) + "." + (person >> 8 & 255) + "." + (person & 255));
        }
    }

    /** A page, and what it loads within two seconds. */
    private void addPage(String address) {
        int second = random.nextInt(58);
        add(second, address, "GET /pages/" + random.nextInt(500), 200, BROWSER);
        int assets = random.nextInt(2, 8) + (random.nextInt(30) == 0 ? random.nextInt(30) : 0); // a page of pictures
        for (int i = 0; i < assets; i++) {
            add(second + random.nextInt(3), address, "GET /assets/" + random.nextInt(90), 200, BROWSER);
        }
    }

    private void addOffice() {
        boolean isOpen = minute >= 8 * 60 && minute < 17 * 60;
        int pages = isOpen ? random.nextInt(4, 16) : 0;
        for (int i = 0; i < pages; i++) {
            addPage("192.0.2.1");
        }
    }

    private void addScripts() {
        for (int script = 0; script < 40; script++) {
            int period = 5 + script; // in seconds
            String address = "2001:db8::" + Integer.toHexString(256 + script);
            int first = Math.floorMod(script - 60 * minute, period);
            for (int second = first; second < 60; second += period) {
                add(second, address, "GET /api/status", 200, "poll/" + script);
            }
        }
    }

    private void addCrawlers() {
        for (int crawler = 0; crawler < 3; crawler++) {
            if ((minute / 60 + 3 * crawler) % 8 < 4) { // four hours at work, four hours away
                addEach("198.51.100." + (20 + crawler), 30 + 15 * crawler, "GET /pages/", 200, "crawler-" + crawler);
            }
        }
    }

    private void addEach(String address, int number, String request, int status, String agent) {
        for (int i = 0; i < number; i++) {
            add(random.nextInt(60), address, request, status, agent);
        }
    }

    private void add(int second, String address, String request, int status, String agent) {
        visits.add(new Visit(second, address, request, status, agent));
    }

    @Override
    public String toString() {
        return "A generated day, " + DAY;
    }
}
