// snippet:doc https://kafka.apache.org/41/javadoc/org/apache/kafka/clients/consumer/KafkaConsumer.html KafkaConsumer
// snippet:needs Java 11
// snippet:about Apache Kafka
// snippet:check
import java.util.ArrayList;
import java.util.HashMap;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
// snippet:end
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.WakeupException;

final class Worker {
    /** For a KafkaConsumer, besides the servers and the deserializers. */
    static final Map<String, Object> CONFIG = Map.of(
            ConsumerConfig.GROUP_ID_CONFIG, "billing",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 100); // few enough to be done well within max.poll.interval.ms

    interface Handler { void handle(ConsumerRecord<String, String> record); }

    /** Runs until {@code consumer.wakeup()}. What the handler throws ends it, with the batch not committed. */
    static void run(Consumer<String, String> consumer, Handler handler) {
        try (consumer) {
            consumer.subscribe(List.of("orders"));
            while (true) {
                var records = consumer.poll(Duration.ofSeconds(1));
                records.forEach(handler::handle);
                if (!records.isEmpty()) consumer.commitSync(); // only now
            }
        } catch (WakeupException e) {
            // asked to stop
        }
    }
}
// snippet:check
class Main {
    static MockConsumer<String, String> consumer() {
        var partition = new TopicPartition("orders", 0);
        var consumer = new MockConsumer<String, String>("earliest");
        consumer.schedulePollTask(() -> {
            consumer.rebalance(List.of(partition));
            consumer.updateBeginningOffsets(new HashMap<>(Map.of(partition, 0L)));
            for (int i = 0; i < 3; i++) consumer.addRecord(new ConsumerRecord<>("orders", 0, i, "k", "v" + i));
        });
        return consumer;
    }

    static Long committed(MockConsumer<String, String> consumer) {
        var partition = new TopicPartition("orders", 0);
        var offset = consumer.committed(java.util.Set.of(partition)).get(partition);
        return offset == null ? null : offset.offset();
    }

    public static void main(String[] args) {
        var seen = new ArrayList<String>();
        var commits = new ArrayList<Long>();
        var good = consumer();
        good.schedulePollTask(() -> commits.add(committed(good)));
        good.schedulePollTask(good::wakeup);
        Worker.run(good, record -> seen.add(record.value()));
        System.out.println(seen + " " + commits + " " + good.closed());
        var bad = consumer();
        try {
            Worker.run(bad, record -> { if (record.offset() == 1) throw new IllegalStateException("no such order"); });
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + bad.closed());
        }
        System.out.println(Worker.CONFIG.get("enable.auto.commit"));
    }
}
// snippet:prints [v0, v1, v2] [3] true
// snippet:prints no such order true
// snippet:prints false
