// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Process.html java.lang.Process
// snippet:needs Java 16
// snippet:prints 0
// snippet:prints sleep still ran after PT0.03S
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
// snippet:usage

class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(Command.run(Duration.ofSeconds(10), "true")); // Unix has it, and sleep
        try {
            Command.run(Duration.ofMillis(30), "sleep", "5");
        } catch (TimeoutException e) {
            System.out.println(e.getMessage());
        }
    }
}
// snippet:end

final class Command {
    /** Runs a command, and ends it when it takes longer than {@code limit}. */
    static int run(Duration limit, String... command)
            throws IOException, InterruptedException, TimeoutException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new TimeoutException(command[0] + " still ran after " + limit);
        } finally {
            // Forcibly: destroy() asks, and not all listen. No effect on what has ended.
            var descendants = process.descendants().toList();
            process.destroyForcibly(); // first, or a shell would start its next command
            descendants.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
