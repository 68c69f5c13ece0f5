// snippet:doc https://kafka.apache.org/41/javadoc/org/apache/kafka/clients/consumer/ConsumerRebalanceListener.html ConsumerRebalanceListener
// snippet:needs Java 11
// snippet:about Apache Kafka
// snippet:check
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
// snippet:end
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

final class Progress implements ConsumerRebalanceListener {
    private final Consumer<?, ?> consumer;
    private final Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();

    Progress(Consumer<?, ?> consumer) { this.consumer = consumer; }

    /** After each record; the listener's methods run within poll or close, in the same thread. */
    void handled(ConsumerRecord<?, ?> record) {
        var partition = new TopicPartition(record.topic(), record.partition());
        next.put(partition, new OffsetAndMetadata(record.offset() + 1)); // where to go on, not what was last
    }

    void commit() { consumer.commitSync(next); }

    @Override public void onPartitionsAssigned(Collection<TopicPartition> gained) {}

    @Override public void onPartitionsRevoked(Collection<TopicPartition> leaving) {
        var places = new HashMap<>(next);
        places.keySet().retainAll(leaving);
        next.keySet().removeAll(leaving); // also if the commit fails: they go all the same
        consumer.commitSync(places);
    }

    /** Somebody else may have them already: a commit would fail. */
    @Override public void onPartitionsLost(Collection<TopicPartition> gone) { next.keySet().removeAll(gone); }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var zero = new TopicPartition("orders", 0);
        var one = new TopicPartition("orders", 1);
        var two = new TopicPartition("orders", 2);
        var consumer = new MockConsumer<String, String>("earliest");
        consumer.assign(List.of(zero, one, two));
        var progress = new Progress(consumer);
        progress.handled(new ConsumerRecord<>("orders", 0, 4, "k", "v"));
        progress.handled(new ConsumerRecord<>("orders", 1, 8, "k", "v"));
        progress.handled(new ConsumerRecord<>("orders", 2, 9, "k", "v"));
        progress.onPartitionsRevoked(List.of(zero));
        System.out.println(offset(consumer, zero) + " " + offset(consumer, one));
        progress.onPartitionsLost(List.of(two));
        progress.commit();
        System.out.println(offset(consumer, one) + " " + offset(consumer, two));
    }

    static Object offset(MockConsumer<?, ?> consumer, TopicPartition partition) {
        var found = consumer.committed(Set.of(partition)).get(partition);
        return found == null ? "none" : found.offset();
    }
}
// snippet:prints 5 none
// snippet:prints 9 none
