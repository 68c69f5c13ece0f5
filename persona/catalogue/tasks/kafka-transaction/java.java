// snippet:doc https://kafka.apache.org/41/javadoc/org/apache/kafka/clients/producer/KafkaProducer.html KafkaProducer
// snippet:needs Java 11
// snippet:about Apache Kafka
// snippet:check
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.StringSerializer;
// snippet:end
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

final class ExactlyOnce {
    /** The producer has a transactional.id of this instance's own, and called initTransactions() once. */
    static void step(Producer<String, String> producer, ConsumerGroupMetadata group,
                     ConsumerRecords<String, String> batch, UnaryOperator<String> work) {
        producer.beginTransaction();
        try {
            Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
            for (var record : batch) {
                producer.send(new ProducerRecord<>("totals", record.key(), work.apply(record.value())));
                var partition = new TopicPartition(record.topic(), record.partition());
                read.put(partition, new OffsetAndMetadata(record.offset() + 1));
            }
            producer.sendOffsetsToTransaction(read, group); // in place of the consumer's commit
            producer.commitTransaction();
        } catch (RuntimeException | Error e) {
            try {
                producer.abortTransaction();
            } catch (RuntimeException cannot) {
                e.addSuppressed(cannot); // another instance has the id, or the commit is under way: close it
            }
            throw e;
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var producer = new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
        producer.initTransactions();
        var partition = new TopicPartition("sales", 0);
        var group = new ConsumerGroupMetadata("totals");
        var batch = new ConsumerRecords<>(Map.of(partition, List.of(new ConsumerRecord<>("sales", 0, 5, "a", "1"), new ConsumerRecord<>("sales", 0, 6, "b", "x"))), Map.of());
        try {
            ExactlyOnce.step(producer, group, batch, value -> String.valueOf(Integer.parseInt(value) * 2));
        } catch (NumberFormatException e) {
            System.out.println(producer.history().size() + " " + producer.consumerGroupOffsetsHistory().size() + " " + producer.transactionAborted());
        }
        ExactlyOnce.step(producer, group, batch, value -> value + value);
        System.out.println(producer.history().stream().map(ProducerRecord::value).collect(java.util.stream.Collectors.toList()) + " " + producer.transactionCommitted());
        System.out.println(producer.consumerGroupOffsetsHistory().get(0).get("totals").get(partition).offset());
    }
}
// snippet:prints 0 0 true
// snippet:prints [11, xx] true
// snippet:prints 7
