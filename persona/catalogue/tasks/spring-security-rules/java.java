// snippet:check
// snippet:doc https://docs.spring.io/spring-security/reference/servlet/authorization/authorize-http-requests.html Authorize requests
// snippet:into Put it into an application made by start.spring.io with Spring Web and OAuth2 Resource Server, below its main package, and set spring.security.oauth2.resourceserver.jwt.issuer-uri.
// snippet:about Spring Boot
// snippet:needs Spring Boot 3
// snippet:prints GET /health nobody: 200
// snippet:prints GET /orders nobody: 401
// snippet:prints GET /orders orders:read: 200
// snippet:prints DELETE /orders/1 orders:read: 403
// snippet:prints DELETE /orders/1 orders:write: 204
// snippet:prints GET /new-and-forgotten orders:write: 403
// snippet:prints the error page: shown, asked for by name: 401
// snippet:prints service without the scope: refused
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import jakarta.servlet.DispatcherType;
import org.springframework.context.annotation.*;
import org.springframework.http.HttpMethod;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Service;
@Configuration @EnableMethodSecurity
class Security {
    @Bean
    SecurityFilterChain rules(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests
                .dispatcherTypeMatchers(DispatcherType.ERROR).permitAll() // else 500 becomes 401
                .requestMatchers("/health").permitAll()
                .requestMatchers(HttpMethod.GET, "/orders/**").hasAuthority("SCOPE_orders:read")
                .requestMatchers("/orders/**").hasAuthority("SCOPE_orders:write")
                .anyRequest().denyAll())
            .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
            .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
            .csrf(csrf -> csrf.disable()) // no cookies
            .build();
    }
}

@Service
class OrderService {
    @PreAuthorize("hasAuthority('SCOPE_orders:write')") public void delete(long id) {}
}

// snippet:measures what no rule names is denied, and a token without the scope is refused
// snippet:check
@org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest
@Import({Security.class, OrderService.class})
class SecurityTest {
    @org.springframework.boot.autoconfigure.SpringBootApplication static class App {}
    @org.springframework.test.context.bean.override.mockito.MockitoBean org.springframework.security.oauth2.jwt.JwtDecoder decoder;
    @org.springframework.beans.factory.annotation.Autowired org.springframework.test.web.servlet.MockMvc mvc;
    @org.springframework.beans.factory.annotation.Autowired OrderService orders;

    @org.junit.jupiter.api.Test
    void rules() throws Exception {
        for (String line : new String[] {"GET /health nobody", "GET /orders nobody", "GET /orders orders:read", "DELETE /orders/1 orders:read", "DELETE /orders/1 orders:write", "GET /new-and-forgotten orders:write"}) {
            String[] part = line.split(" ");
            var request = org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request(HttpMethod.valueOf(part[0]), part[1]);
            if (!part[2].equals("nobody")) request.with(org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.jwt().jwt(jwt -> jwt.claim("scope", part[2])));
            System.out.println(line + ": " + mvc.perform(request).andReturn().getResponse().getStatus());
        }
        int failed = mvc.perform(org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get("/error").with(request -> { request.setDispatcherType(DispatcherType.ERROR); return request; })).andReturn().getResponse().getStatus();
        int asked = mvc.perform(org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get("/error")).andReturn().getResponse().getStatus();
        System.out.println("the error page: " + (failed == 401 || failed == 403 ? "refused" : "shown") + ", asked for by name: " + asked);
        org.springframework.security.core.context.SecurityContextHolder.getContext().setAuthentication(new org.springframework.security.authentication.TestingAuthenticationToken("ada", "", "SCOPE_orders:read"));
        try {
            orders.delete(1);
        } catch (org.springframework.security.access.AccessDeniedException e) {
            System.out.println("service without the scope: refused");
        }
    }
}
@org.springframework.web.bind.annotation.RestController class Controller {
    @org.springframework.beans.factory.annotation.Autowired OrderService orders;
    @org.springframework.web.bind.annotation.GetMapping({"/health", "/orders", "/new-and-forgotten"}) String read() { return "ok"; }
    @org.springframework.web.bind.annotation.DeleteMapping("/orders/{id}")
    @org.springframework.web.bind.annotation.ResponseStatus(org.springframework.http.HttpStatus.NO_CONTENT)
    void delete(@org.springframework.web.bind.annotation.PathVariable long id) { orders.delete(id); }
}
