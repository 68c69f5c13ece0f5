// snippet:doc https://kafka.apache.org/41/javadoc/org/apache/kafka/clients/producer/ProducerRecord.html ProducerRecord
// snippet:needs Java 16
// snippet:about Apache Kafka
// snippet:check
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
// snippet:end
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Bytes in and out: whatever could not be parsed is still whole. The handler gets null for a tombstone. */
record DeadLetters(Producer<byte[], byte[]> producer, Consumer<byte[]> handler) {
    void handle(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        try {
            handler.accept(record.value());
        } catch (IllegalArgumentException unreadable) { // others may pass: they go up, and the record is read again
            var topic = record.topic() + ".dead";
            var letter = new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers());
            var origin = record.topic() + "-" + record.partition() + "@" + record.offset();
            letter.headers().add("origin", origin.getBytes(UTF_8));
            letter.headers().add("error", String.valueOf(unreadable.getMessage()).getBytes(UTF_8));
            try {
                producer.send(letter).get(); // wait: the offset is committed next
            } catch (ExecutionException e) {
                throw new IllegalStateException("cannot put aside " + origin, e.getCause());
            }
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws Exception {
        var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        var letters = new DeadLetters(producer, value -> System.out.println(Integer.parseInt(new String(value, UTF_8))));
        for (var value : new String[] {"7", "x", "8"}) letters.handle(new ConsumerRecord<>("readings", 2, 40, null, value.getBytes(UTF_8)));
        var dead = producer.history().get(0);
        System.out.println(dead.topic() + " " + new String(dead.value(), UTF_8) + " " + new String(dead.headers().lastHeader("origin").value(), UTF_8));
        System.out.println(new String(dead.headers().lastHeader("error").value(), UTF_8));
        producer.sendException = new IllegalStateException("broker gone");
        try {
            letters.handle(new ConsumerRecord<>("readings", 2, 41, null, "y".getBytes(UTF_8)));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            new DeadLetters(producer, value -> { throw new IllegalStateException("database gone"); }).handle(new ConsumerRecord<>("readings", 2, 42, null, new byte[0]));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
// snippet:prints 7
// snippet:prints 8
// snippet:prints readings.dead x readings-2@40
// snippet:prints For input string: "x"
// snippet:prints broker gone
// snippet:prints database gone
