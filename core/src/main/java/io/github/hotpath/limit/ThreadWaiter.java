package io.github.hotpath.limit;

/** A thread that waits in line. */
final class ThreadWaiter extends Waiter {
    private final Thread thread = Thread.currentThread();
    private final Parking parking;

    ThreadWaiter(Parking parking) {
        this.parking = parking;
    }

    @Override
    boolean wake() {
        parking.unpark(thread);
        return true;
    }
}
