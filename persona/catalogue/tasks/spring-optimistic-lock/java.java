// snippet:check
// snippet:doc https://docs.spring.io/spring-data/jpa/reference/jpa/locking.html Locking
// snippet:into Put it into an application made by start.spring.io with Spring Data JPA and a database that has its tables, below its main package.
// snippet:about Spring Boot
// snippet:needs Spring Boot 3
// snippet:prints ada saves version 0
// snippet:prints bob saves version 0: refused
// snippet:prints bob saves version 1
// snippet:prints Green tea, version 2
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import jakarta.persistence.*;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Entity
class Product {
    @Id Long id;
    String name;
    @Version long version;
}

interface Products extends JpaRepository<Product, Long> {}

@Service
class ProductService {
    private final Products products;

    ProductService(Products products) { this.products = products; }

    @Transactional
    public void rename(long id, String name, long version) { // the version that the form was filled with
        Product product = products.findById(id).orElseThrow();
        if (product.version != version) throw new OptimisticLockingFailureException("product " + id);
        product.name = name; // written at the commit, with "where version = ?"
    }
}

// snippet:check
@org.springframework.boot.test.context.SpringBootTest(webEnvironment = org.springframework.boot.test.context.SpringBootTest.WebEnvironment.NONE, properties = "spring.jpa.hibernate.ddl-auto=create")
class ProductServiceTest {
    @org.springframework.boot.autoconfigure.SpringBootApplication static class App {}
    @org.springframework.beans.factory.annotation.Autowired ProductService service;
    @org.springframework.beans.factory.annotation.Autowired Products products;
    @org.springframework.beans.factory.annotation.Autowired org.springframework.transaction.PlatformTransactionManager transactions;

    @org.junit.jupiter.api.Test
    void nobodyLoses() {
        Product tea = new Product();
        tea.id = 7L;
        tea.name = "Tea";
        products.save(tea);
        save("ada", "Black tea", 0);
        save("bob", "Green tea", 0);
        save("bob", "Green tea", 1);
        Product now = products.findById(7L).orElseThrow();
        System.out.println(now.name + ", version " + now.version);
        // two at the same moment: the database decides
        var template = new org.springframework.transaction.support.TransactionTemplate(transactions);
        org.junit.jupiter.api.Assertions.assertThrows(OptimisticLockingFailureException.class, () -> template.executeWithoutResult(status -> {
            Product mine = products.findById(7L).orElseThrow();
            try { var other = new Thread(() -> service.rename(7, "Other", 2)); other.start(); other.join(); } catch (InterruptedException e) { throw new RuntimeException(e); }
            mine.name = "Mine";
        }));
    }
    void save(String who, String name, long version) {
        try {
            service.rename(7, name, version);
            System.out.println(who + " saves version " + version);
        } catch (OptimisticLockingFailureException e) {
            System.out.println(who + " saves version " + version + ": refused");
        }
    }
}
