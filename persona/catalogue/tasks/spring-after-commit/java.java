// snippet:check
// snippet:doc https://docs.spring.io/spring-framework/reference/data-access/transaction/event.html Transaction-bound events
// snippet:into Put it into an application made by start.spring.io with JDBC API and a database that has these tables, below its main package.
// snippet:about Spring Boot
// snippet:needs Spring Boot 3.2
// snippet:prints placed, mails: [ada]
// snippet:prints refused: sold out, rows: 1, mails: [ada]
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import java.util.List;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.*;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
record OrderPlaced(String customer) {}
class SoldOut extends Exception {}
@Service
class OrderService {
    private final JdbcClient jdbc;
    private final ApplicationEventPublisher events;
    OrderService(JdbcClient jdbc, ApplicationEventPublisher events) { this.jdbc = jdbc; this.events = events; }

    @Transactional(rollbackFor = SoldOut.class)
    public void place(String customer, String product) throws SoldOut {
        jdbc.sql("insert into orders (customer, product) values (?, ?)").params(customer, product).update();
        events.publishEvent(new OrderPlaced(customer));
        int taken = jdbc.sql("update stock set pieces = pieces - 1 where product = ? and pieces > 0")
            .param(product).update();
        if (taken == 0) throw new SoldOut();
    }
}

@Component
class Confirmation {
    final List<String> mails = new java.util.concurrent.CopyOnWriteArrayList<>(); // your mail service
    @TransactionalEventListener // after the commit
    void send(OrderPlaced order) { mails.add(order.customer()); }
}

// snippet:check
@org.springframework.boot.test.context.SpringBootTest(webEnvironment = org.springframework.boot.test.context.SpringBootTest.WebEnvironment.NONE)
class OrderServiceTest {
    @org.springframework.boot.autoconfigure.SpringBootApplication static class App {}
    @org.springframework.beans.factory.annotation.Autowired OrderService service;
    @org.springframework.beans.factory.annotation.Autowired Confirmation confirmation;
    @org.springframework.beans.factory.annotation.Autowired JdbcClient jdbc;

    @org.junit.jupiter.api.Test
    void mailsFollowTheCommit() throws Exception {
        jdbc.sql("create table orders (customer text, product text)").update();
        jdbc.sql("create table stock (product varchar primary key, pieces int)").update();
        jdbc.sql("insert into stock values ('tea', 1)").update();
        service.place("ada", "tea");
        System.out.println("placed, mails: " + confirmation.mails);
        try {
            service.place("bob", "tea");
        } catch (SoldOut e) {
            System.out.println("refused: sold out, rows: " + jdbc.sql("select count(*) from orders").query(Integer.class).single() + ", mails: " + confirmation.mails);
        }
    }
}
