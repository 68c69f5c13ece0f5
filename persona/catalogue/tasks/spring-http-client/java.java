// snippet:check
// snippet:doc https://docs.spring.io/spring-framework/reference/integration/rest-clients.html#rest-http-service-client HTTP service clients
// snippet:about Spring Boot
// snippet:needs Spring Boot 4
// snippet:prints Optional[Product[name=Tea, cents=450]]
// snippet:prints Optional.empty
// snippet:prints 503 SERVICE_UNAVAILABLE
// snippet:prints gave up in time: true
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import org.springframework.context.annotation.*;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
record Product(String name, int cents) {}
interface Catalogue {
    @GetExchange("/products/{id}")
    Optional<Product> find(@PathVariable String id);
}

@Configuration
class Clients {
    @Bean
    Catalogue catalogue(RestClient.Builder builder) {
        var requests = new JdkClientHttpRequestFactory(
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build());
        requests.setReadTimeout(Duration.ofSeconds(2));
        var client = builder.baseUrl(System.getProperty("catalogue.url")).requestFactory(requests)
            .defaultStatusHandler(status -> status.value() == 404, (request, response) -> {})
            .build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client)).build()
            .createClient(Catalogue.class);
    }
}

// snippet:check
class ClientsTest {
    static { ((ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger("ROOT")).setLevel(ch.qos.logback.classic.Level.OFF); }
    @org.junit.jupiter.api.Test
    void calls() throws Exception {
        var server = com.sun.net.httpserver.HttpServer.create(new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/products/", exchange -> {
            String id = exchange.getRequestURI().getPath().substring(10);
            if (id.equals("slow")) try { Thread.sleep(8000); } catch (InterruptedException e) { throw new java.io.IOException(e); }
            byte[] body = id.equals("tea") ? "{\"name\":\"Tea\",\"cents\":450}".getBytes() : new byte[0];
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(switch (id) { case "tea", "slow" -> 200; case "broken" -> 503; default -> 404; }, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.setProperty("catalogue.url", "http://127.0.0.1:" + server.getAddress().getPort());
        Catalogue catalogue = new Clients().catalogue(RestClient.builder());
        System.out.println(catalogue.find("tea"));
        System.out.println(catalogue.find("coal"));
        try { catalogue.find("broken"); } catch (org.springframework.web.client.HttpServerErrorException e) { System.out.println(e.getStatusCode()); }
        long start = System.nanoTime();
        try { catalogue.find("slow"); } catch (org.springframework.web.client.RestClientException e) { System.out.println("gave up in time: " + (System.nanoTime() - start < 7_000_000_000L)); }
        server.stop(0);
    }
}
