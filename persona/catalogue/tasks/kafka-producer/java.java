// snippet:doc https://kafka.apache.org/41/javadoc/org/apache/kafka/clients/producer/ProducerConfig.html ProducerConfig
// snippet:needs Java 11
// snippet:about Apache Kafka
// snippet:check
import org.apache.kafka.clients.producer.MockProducer;
// snippet:end
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

final class Orders {
    static Producer<String, String> connect(String servers) {
        return new KafkaProducer<>(Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers,
                ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, // a repetition is not written twice
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 60_000, // for all attempts together
                ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd"), new StringSerializer(), new StringSerializer());
    }

    /** Records with the same order id go to one partition and keep their order. */
    static CompletableFuture<RecordMetadata> send(Producer<String, String> producer, String orderId, String event) {
        var sent = new CompletableFuture<RecordMetadata>();
        producer.send(new ProducerRecord<>("orders", orderId, event), (metadata, error) -> {
            if (error != null) sent.completeExceptionally(error);
            else sent.complete(metadata);
        });
        return sent;
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws Exception {
        var producer = new MockProducer<>(false, null, new StringSerializer(), new StringSerializer());
        var first = Orders.send(producer, "7", "placed");
        var second = Orders.send(producer, "7", "paid");
        System.out.println(first.isDone());
        producer.completeNext();
        producer.errorNext(new org.apache.kafka.common.errors.TimeoutException("60 s"));
        System.out.println(first.get().topic() + " " + first.get().offset() + " " + second.isCompletedExceptionally());
        System.out.println(producer.history().get(1).key() + " " + producer.history().get(1).value());
        try (var real = Orders.connect("127.0.0.1:1")) {
            System.out.println(real.getClass().getSimpleName());
        }
    }
}
// snippet:prints false
// snippet:prints orders 0 true
// snippet:prints 7 paid
// snippet:prints KafkaProducer
