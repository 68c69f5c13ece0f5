package interop;

import java.util.Map;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.JwtDecoders;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An app that logs its users in, and an API that takes access tokens: once as Spring Boot sets it up, once as documented. */
@SpringBootApplication
@RestController
public class App {

    public static void main(String[] args) {
        SpringApplication.run(App.class, args);
    }

    @GetMapping("/")
    Map<String, Object> user(@AuthenticationPrincipal OidcUser user) {
        return user == null ? Map.of() : Map.of("sub", user.getSubject(), "email", user.getEmail(), "info", user.getUserInfo() != null);
    }

    @GetMapping({"/api", "/unchanged"})
    Map<String, Object> caller(Authentication caller) {
        return Map.of("sub", caller.getName());
    }

    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http, @Value("${ISSUER}") String issuer, @Value("${RESOURCE:}") String resource, @Value("${CLIENT_ID}") String clientId) throws Exception {
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(issuer).validateType(false).build();
        decoder.setJwtValidator(JwtValidators.createAtJwtValidator().issuer(issuer).audience(resource).clientId(clientId).build());
        return bearer(http, "/api", decoder);
    }

    @Bean
    @Order(2)
    SecurityFilterChain unchanged(HttpSecurity http, @Value("${ISSUER}") String issuer) throws Exception {
        return bearer(http, "/unchanged", JwtDecoders.fromIssuerLocation(issuer));
    }

    private static SecurityFilterChain bearer(HttpSecurity http, String path, JwtDecoder decoder) throws Exception {
        return http.securityMatcher(path).authorizeHttpRequests(all -> all.anyRequest().authenticated())
            .oauth2ResourceServer(server -> server.jwt(jwt -> jwt.decoder(decoder))).build();
    }

    @Bean
    SecurityFilterChain pages(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
        var logout = new OidcClientInitiatedLogoutSuccessHandler(clients);
        logout.setPostLogoutRedirectUri("{baseUrl}/");
        return http.authorizeHttpRequests(all -> all.requestMatchers("/", "/error").permitAll().anyRequest().authenticated())
            .oauth2Login(Customizer.withDefaults()).logout(out -> out.logoutSuccessHandler(logout)).build();
    }
}
