// snippet:doc https://kafka.apache.org/41/streams/developer-guide/dsl-api/#kstream-ktable-join KStream-KTable join
// snippet:needs Java 16
// snippet:into Put it into an application with kafka-streams; the topics that it names have to exist.
// snippet:about Apache Kafka
// snippet:check
import java.util.Properties;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TopologyTestDriver;
// snippet:end
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Branched;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.Produced;

final class Enrichment {
    record Order(String item, String country) {}

    static Topology topology() {
        var text = Serdes.String();
        var builder = new StreamsBuilder();
        // Both topics have the customer's id as key and the same number of partitions: that is what meets.
        var countries = builder.table("customer-country", Consumed.with(text, text));
        builder.stream("orders", Consumed.with(text, text))
                .leftJoin(countries, Order::new, Joined.with(text, text, text))
                .split()
                .branch((customer, order) -> order.country() == null, Branched.withConsumer(unknown -> unknown
                        .mapValues(Order::item)
                        .to("orders-unknown", Produced.with(text, text))))
                .defaultBranch(Branched.withConsumer(known -> known
                        .mapValues(order -> order.country() + ":" + order.item())
                        .to("orders-by-country", Produced.with(text, text))));
        return builder.build();
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var config = new Properties();
        config.put("application.id", "enrichment");
        try (var driver = new TopologyTestDriver(Enrichment.topology(), config)) {
            var countries = driver.createInputTopic("customer-country", new StringSerializer(), new StringSerializer());
            var orders = driver.createInputTopic("orders", new StringSerializer(), new StringSerializer());
            countries.pipeInput("7", "PT");
            orders.pipeInput("7", "tea");
            orders.pipeInput("8", "cup");
            countries.pipeInput("7", "BR");
            orders.pipeInput("7", "milk");
            for (var topic : new String[] {"orders-by-country", "orders-unknown"}) {
                System.out.println(driver.createOutputTopic(topic, new StringDeserializer(), new StringDeserializer()).readKeyValuesToList());
            }
        }
    }
}
// snippet:prints [KeyValue(7, PT:tea), KeyValue(7, BR:milk)]
// snippet:prints [KeyValue(8, cup)]
