// snippet:doc https://kafka.apache.org/41/streams/developer-guide/processor-api/ Processor API
// snippet:needs Java 11
// snippet:into Put it into an application with kafka-streams.
// snippet:about Apache Kafka
// snippet:check
import java.time.Instant;
import java.util.Properties;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
// snippet:end
import java.time.Duration;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;

/** Passes on the first record of each key, the event's id, within a day. What comes over a day late may come twice. */
final class Deduplicate implements ProcessorSupplier<String, String, String, String> {
    private static final Duration DAY = Duration.ofDays(1);

    @Override public Set<StoreBuilder<?>> stores() {
        var store = Stores.persistentWindowStore("seen", DAY.multipliedBy(2), DAY, false); // a day late, and one back
        return Set.of(Stores.windowStoreBuilder(store, Serdes.String(), Serdes.Long()));
    }

    @Override public ContextualProcessor<String, String, String, String> get() {
        return new ContextualProcessor<>() {
            @Override public void process(Record<String, String> record) {
                if (record.key() == null) { context().forward(record); return; } // no id to know it by
                WindowStore<String, Long> seen = context().getStateStore("seen");
                long time = record.timestamp();
                // Before and after: a late record has its first one later in time.
                try (var found = seen.fetch(record.key(), time - DAY.toMillis(), time + DAY.toMillis())) {
                    if (found.hasNext()) return;
                }
                seen.put(record.key(), time, time);
                context().forward(record);
            }
        };
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var builder = new StreamsBuilder();
        builder.stream("in", Consumed.with(Serdes.String(), Serdes.String())).process(new Deduplicate()).to("out", Produced.with(Serdes.String(), Serdes.String()));
        var config = new Properties();
        config.put("application.id", "deduplicate");
        try (var driver = new TopologyTestDriver(builder.build(), config)) {
            var in = driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
            var start = Instant.parse("2026-03-01T10:00:00Z");
            in.pipeInput("e1", "a", start);
            in.pipeInput("e2", "b", start.plusSeconds(60));
            in.pipeInput("e1", "again", start.plusSeconds(3600));
            in.pipeInput("e1", "early", start.minusSeconds(60));
            in.pipeInput("e3", "c", start.plus(Duration.ofHours(40)));
            in.pipeInput("e1", "late", start.plus(Duration.ofHours(20)));
            in.pipeInput(null, "no id", start.plus(Duration.ofHours(40)));
            in.pipeInput("e1", "two days later", start.plus(Duration.ofDays(2)));
            System.out.println(driver.createOutputTopic("out", new StringDeserializer(), new StringDeserializer()).readValuesToList());
        }
    }
}
// snippet:prints [a, b, c, no id, two days later]
