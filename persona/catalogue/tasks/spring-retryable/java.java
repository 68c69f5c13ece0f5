// snippet:check
// snippet:doc https://docs.spring.io/spring-framework/reference/core/resilience.html Resilience features
// snippet:about Spring Boot
// snippet:needs Spring Boot 4
// snippet:prints 450 after 3 tries
// snippet:prints still down after 4 tries
// snippet:prints no such product after 1 try
// snippet:prints no answer after 4 tries
// snippet:prints 1 passed, 0 failed
package com.example.shop;

import java.util.NoSuchElementException;
// snippet:end
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.*;
import org.springframework.stereotype.Service;

class Unavailable extends RuntimeException {
    Unavailable(String message) { super(message); }
}

interface Catalogue { // your HTTP client: throws Unavailable for 502, 503, 504 and lost connections
    int priceOf(String product);
}

@Configuration
@EnableResilientMethods
class Resilience {}

@Service
class PriceService {
    private final Catalogue catalogue;

    PriceService(Catalogue catalogue) { this.catalogue = catalogue; }

    @Retryable(includes = Unavailable.class, maxRetries = 3, delay = 100, multiplier = 2, jitter = 50, maxDelay = 1000)
    public int priceOf(String product) {
        return catalogue.priceOf(product);
    }
}

// snippet:check
class PriceServiceTest {
    static int tries;

    @org.junit.jupiter.api.Test
    void tries() {
        Catalogue flaky = product -> {
            tries++;
            if (product.equals("coal")) throw new NoSuchElementException("no such product");
            if (product.equals("salt")) throw new IllegalStateException("no answer", new Unavailable("still down"));
            if (product.equals("gold") || tries < 3) throw new Unavailable("still down");
            return 450;
        };
        try (var context = new org.springframework.context.annotation.AnnotationConfigApplicationContext()) {
            context.registerBean(Catalogue.class, () -> flaky);
            context.register(Resilience.class, PriceService.class);
            context.refresh();
            for (String product : new String[] {"tea", "gold", "coal", "salt"}) {
                tries = 0;
                String answer;
                try { answer = "" + context.getBean(PriceService.class).priceOf(product); } catch (RuntimeException e) { answer = e.getMessage(); }
                System.out.println(answer + " after " + tries + (tries == 1 ? " try" : " tries"));
            }
        }
    }
}
