package interop;

import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;

/** Spring Authorization Server as Spring Boot sets it up; its clients are in the variable CLIENTS, as JSON. */
@SpringBootApplication
public class Application {

    public static void main(String[] args) {
        SpringApplication.run(Application.class, args);
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Client(String id, @JsonProperty("redirect_uri") String redirectUri, @JsonProperty("return_to") String returnTo, String secret) {

        RegisteredClient registered() {
            boolean isPublic = secret.isEmpty();
            return RegisteredClient.withId(UUID.randomUUID().toString())
                .clientId(id)
                .clientSecret(isPublic ? null : PasswordEncoderFactories.createDelegatingPasswordEncoder().encode(secret))
                .clientAuthenticationMethod(isPublic ? ClientAuthenticationMethod.NONE : ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
                .redirectUri(redirectUri)
                .postLogoutRedirectUri(returnTo)
                .scopes(scopes -> scopes.addAll(List.of("openid", "profile", "email", "offline_access")))
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .tokenSettings(TokenSettings.builder().reuseRefreshTokens(false).build())
                .build();
        }
    }

    @Bean
    RegisteredClientRepository clients(Environment environment, ObjectMapper json) throws JsonProcessingException {
        Client[] clients = json.readValue(environment.getRequiredProperty("CLIENTS"), Client[].class);
        return new InMemoryRegisteredClientRepository(List.of(clients).stream().map(Client::registered).toList());
    }
}
