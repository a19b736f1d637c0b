package io.github.hotpath.examples.replay;

/** Lines of an access log: the common or the combined format, or any other with a time in brackets. */
final class AccessFormat implements LineFormat {
    private final AccessTime time = new AccessTime();
    private final KeyFormat keys;

    AccessFormat(KeyFormat keys) {
        this.keys = keys;
    }

    @Override
    public Request read(String line) throws UnreadableLineException {
        for (int bracket = line.indexOf('['); bracket >= 0; bracket = line.indexOf('[', bracket + 1)) {
            if (time.isAt(line, bracket + 1)) { // the name of a user before it may contain a bracket
                return new Request(time.nanos(line, bracket + 1), keys.key(line), 1);
            }
        }
        throw UnreadableLineException.of(line, "no time, such as [22/Nov/2026:09:30:00 +0100]");
    }
}
