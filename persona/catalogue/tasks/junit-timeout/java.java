// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-declarative-timeouts Timeouts
// snippet:about JUnit
// snippet:check
// snippet:needs Java 21, JUnit 5.9
// snippet:prints 2 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.concurrent.*;
import org.junit.jupiter.api.*;

class QueueTest {
    final BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);

    @Test
    @Timeout(value = 5, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aReaderWaitsForTheWriter() throws InterruptedException {
        Thread.ofVirtual().start(() -> queue.add("ready"));
        assertEquals("ready", queue.take()); // would wait for ever without a writer
    }

    @Test
    void aFullQueueBlocks() {
        queue.add("one");
        assertThrows(AssertionError.class, () ->
            assertTimeoutPreemptively(Duration.ofMillis(100), () -> queue.put("two")));
    }
}
