// snippet:check
// snippet:doc https://docs.spring.io/spring-framework/reference/testing/mockmvc/assertj.html MockMvcTester
// snippet:into Put the controller into the main package of an application made by start.spring.io with Spring Web, beside a @Service that implements Prices, and the test among its tests.
// snippet:about Spring Boot
// snippet:needs Spring Boot 4
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.ResponseEntity;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.*;

interface Prices { Optional<Integer> centsOf(String product); }

@RestController
class PriceController {
    private final Prices prices;

    PriceController(Prices prices) { this.prices = prices; }

    @GetMapping("/prices/{product}")
    ResponseEntity<Integer> read(@PathVariable String product) { return ResponseEntity.of(prices.centsOf(product)); }
}

@WebMvcTest(PriceController.class) // where Spring Security locks the page: @WithMockUser
class PriceControllerTest {
    @MockitoBean Prices prices; // in place of the real service
    @Autowired MockMvcTester mvc;
    @Test void tellsThePrice() {
        given(prices.centsOf("tea")).willReturn(Optional.of(450));
        assertThat(mvc.get().uri("/prices/tea")).hasStatusOk().bodyJson().isEqualTo("450");
        assertThat(mvc.get().uri("/prices/coal")).hasStatus(404); // Mockito answers Optional.empty()
    }
}

// snippet:check
@org.springframework.boot.autoconfigure.SpringBootApplication
class App {
    @org.springframework.context.annotation.Bean
    org.springframework.security.web.SecurityFilterChain open(org.springframework.security.config.annotation.web.builders.HttpSecurity http) throws Exception { return http.build(); }
}
