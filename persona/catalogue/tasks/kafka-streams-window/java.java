// snippet:doc https://kafka.apache.org/41/streams/developer-guide/dsl-api/ Kafka Streams DSL
// snippet:needs Java 11
// snippet:into Put it into an application with kafka-streams; the topics that it names have to exist.
// snippet:about Apache Kafka
// snippet:check
import java.time.Instant;
import java.util.Properties;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TopologyTestDriver;
// snippet:end
import java.time.Duration;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.kstream.Suppressed.BufferConfig;
import org.apache.kafka.streams.kstream.TimeWindows;

final class Payments {
    static Topology counts() {
        var builder = new StreamsBuilder();
        builder.stream("payments", Consumed.with(Serdes.String(), Serdes.String())) // by card
                .groupByKey()
                .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofMinutes(10), Duration.ofMinutes(5)))
                .count()
                .suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))
                .toStream()
                .map((window, count) -> KeyValue.pair(window.key() + "@" + window.window().startTime(), count))
                .to("payments-per-card", Produced.with(Serdes.String(), Serdes.Long()));
        return builder.build();
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var config = new Properties();
        config.put("application.id", "payments");
        config.put("default.key.serde", Serdes.StringSerde.class.getName());
        config.put("default.value.serde", Serdes.StringSerde.class.getName());
        try (var driver = new TopologyTestDriver(Payments.counts(), config)) {
            var in = driver.createInputTopic("payments", new StringSerializer(), new StringSerializer());
            var out = driver.createOutputTopic("payments-per-card", new StringDeserializer(), new LongDeserializer());
            var start = Instant.parse("2026-03-01T10:00:00Z");
            for (int minute : new int[] {1, 4, 12, 9}) in.pipeInput("c1", "x", start.plus(Duration.ofMinutes(minute)));
            System.out.println(out.isEmpty());
            in.pipeInput("c2", "x", start.plus(Duration.ofMinutes(16))); // closes the first window
            in.pipeInput("c1", "late", start.plus(Duration.ofMinutes(2))); // too late
            out.readKeyValuesToList().forEach(System.out::println);
        }
    }
}
// snippet:prints true
// snippet:prints KeyValue(c1@2026-03-01T10:00:00Z, 3)
