// snippet:check
// snippet:doc https://docs.spring.io/spring-framework/reference/web/webmvc/mvc-controller.html Annotated controllers
// snippet:into Put it into an application made by start.spring.io with Spring Web and Validation, below its main package.
// snippet:about Spring Boot
// snippet:needs Spring Boot 3
// snippet:prints 201 http://localhost/orders/0
// snippet:prints 200 {"product":"tea","count":2}
// snippet:prints 201 http://localhost/orders/1
// snippet:prints 400 Invalid request content.
// snippet:prints 400 Invalid request content.
// snippet:prints 400 Failed to read request
// snippet:prints 404 No order 7.
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import jakarta.validation.Valid;
import jakarta.validation.constraints.*;
import java.util.Map;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

// 2.7 arrives as 2, unless spring.jackson.deserialization.accept-float-as-int is false.
record NewOrder(@NotBlank @Size(max = 80) String product, @NotNull @Positive Integer count) {}

@RestController
@RequestMapping("/orders")
class OrderController {
    private final Map<Integer, NewOrder> orders = new ConcurrentHashMap<>(); // your repository
    private final AtomicInteger ids = new AtomicInteger();

    @PostMapping
    ResponseEntity<Void> create(@Valid @RequestBody NewOrder order) {
        int id = ids.getAndIncrement();
        orders.put(id, order);
        var address = ServletUriComponentsBuilder.fromCurrentRequestUri().path("/{id}").build(id);
        return ResponseEntity.created(address).build();
    }

    @GetMapping("/{id}")
    NewOrder read(@PathVariable int id) {
        NewOrder order = orders.get(id);
        if (order == null) throw new ResponseStatusException(HttpStatus.NOT_FOUND, "No order " + id + ".");
        return order;
    }
}

// snippet:check
@org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest(controllers = OrderController.class, properties = "spring.mvc.problemdetails.enabled=true")
@org.springframework.security.test.context.support.WithMockUser
class OrderControllerTest {
    @org.springframework.boot.autoconfigure.SpringBootApplication static class App {
        @org.springframework.context.annotation.Bean
        org.springframework.security.web.SecurityFilterChain open(org.springframework.security.config.annotation.web.builders.HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable()).build();
        }
    }
    @org.springframework.beans.factory.annotation.Autowired org.springframework.test.web.servlet.assertj.MockMvcTester mvc;

    @org.junit.jupiter.api.Test
    void answers() throws Exception {
        show(mvc.post().uri("/orders").contentType(MediaType.APPLICATION_JSON).content("{\"product\":\"tea\",\"count\":2}").exchange());
        show(mvc.get().uri("/orders/0").exchange());
        show(mvc.post().uri("/orders?by=ada").contentType(MediaType.APPLICATION_JSON).content("{\"product\":\"tea\",\"count\":2}").exchange());
        for (String body : java.util.List.of("{\"product\":\" \",\"count\":2}", "{\"product\":\"tea\"}", "product=tea"))
            show(mvc.post().uri("/orders").contentType(MediaType.APPLICATION_JSON).content(body).exchange());
        show(mvc.get().uri("/orders/7").exchange());
    }
    void show(org.springframework.test.web.servlet.assertj.MvcTestResult result) throws Exception {
        var response = result.getResponse();
        var body = response.getContentAsString();
        var detail = java.util.regex.Pattern.compile("\"detail\":\"(.*?)\"").matcher(body);
        System.out.println(response.getStatus() + " " + (response.getHeader("Location") != null ? response.getHeader("Location") : detail.find() ? detail.group(1) : body));
    }
}
