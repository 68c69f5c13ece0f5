// snippet:check
// snippet:doc https://docs.spring.io/spring-data/jpa/reference/jpa/query-methods.html JPA query methods
// snippet:into Put it into an application made by start.spring.io with Spring Data JPA, a database that has its tables, and the main package com.example.shop.
// snippet:about Spring Boot
// snippet:needs Spring Boot 3.1
// snippet:prints findAll: 4 statements
// snippet:prints findByCustomer: 1 statement, 3 orders, 6 items
// snippet:prints [OrderSummary[id=1, items=2], OrderSummary[id=2, items=2], OrderSummary[id=3, items=2]]
// snippet:prints 1 passed, 0 failed
// snippet:end
package com.example.shop;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.*;
import org.springframework.data.jpa.repository.*;

@Entity @Table(name = "orders")
class Order {
    @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
    String customer;
    @ElementCollection List<String> items = new ArrayList<>(); // lazy
}

record OrderSummary(Long id, long items) {}

interface Orders extends JpaRepository<Order, Long> {

    @EntityGraph(attributePaths = "items")
    List<Order> findByCustomer(String customer);

    @Query("""
        select new com.example.shop.OrderSummary(o.id, count(i))
        from Order o left join o.items i
        where o.customer = :customer
        group by o.id order by o.id""")
    List<OrderSummary> summariesOf(String customer);
}

// snippet:check
@org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest(showSql = false)
class OrdersTest {
    @org.springframework.boot.autoconfigure.SpringBootApplication static class App {}
    @org.springframework.beans.factory.annotation.Autowired Orders orders;
    @org.springframework.beans.factory.annotation.Autowired jakarta.persistence.EntityManager entities;

    @org.junit.jupiter.api.Test
    void statements() {
        for (int i = 0; i < 3; i++) {
            Order order = new Order();
            order.customer = "ada";
            order.items.addAll(List.of("tea", "cup"));
            orders.save(order);
        }
        entities.flush();
        entities.clear();
        var statistics = entities.getEntityManagerFactory().unwrap(org.hibernate.SessionFactory.class).getStatistics();
        statistics.clear();
        orders.findAll().forEach(order -> order.items.size());
        System.out.printf("findAll: %d statements%n", statistics.getPrepareStatementCount());
        entities.clear();
        statistics.clear();
        List<Order> found = orders.findByCustomer("ada");
        int items = found.stream().mapToInt(order -> order.items.size()).sum();
        System.out.printf("findByCustomer: %d statement, %d orders, %d items%n", statistics.getPrepareStatementCount(), found.size(), items);
        System.out.println(orders.summariesOf("ada"));
    }
}
