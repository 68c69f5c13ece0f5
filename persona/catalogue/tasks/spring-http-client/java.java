// snippet:check
// snippet:doc https://docs.spring.io/spring-framework/reference/integration/rest-clients.html REST clients
// snippet:into Put it into an application made by start.spring.io with Spring Web and HTTP Client, below its main package, and set prices.url.
// snippet:about Spring Boot
// snippet:needs Spring Boot 4
// snippet:prints Optional[Price[product=tea, cents=450]] from /prices/tea
// snippet:prints Optional.empty from /prices/a%2Fb%3Fc
// snippet:prints no price for down: 503
// snippet:prints no price for silent: in time
// snippet:prints no price for half: in time
// snippet:prints BadRequest
// snippet:prints NullPointerException
// snippet:prints no price for tea: ConnectException
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.*;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.*;

record Price(String product, int cents) {}
class Unavailable extends RuntimeException { Unavailable(String message, Throwable cause) { super(message, cause); } }

@Component
class PriceClient {
    private final RestClient http;
    PriceClient(RestClient.Builder builder, @Value("${prices.url}") String url,
                @Value("${prices.timeout:1s}") Duration timeout) {
        var requests = new JdkClientHttpRequestFactory(HttpClient.newBuilder().connectTimeout(timeout).build());
        requests.setReadTimeout(timeout);
        http = builder.baseUrl(url).requestFactory(requests).build();
    }

    Optional<Price> priceOf(String product) {
        try { // a template, not a concatenation: "a/b?c" stays one part of the path, but ".." would not
            var price = http.get().uri("/prices/{product}", product).retrieve().body(Price.class);
            return Optional.of(Objects.requireNonNull(price, "an answer without a price"));
        } catch (HttpClientErrorException.NotFound e) {
            return Optional.empty();
        } catch (RestClientException e) {
            if (e instanceof HttpServerErrorException || e.contains(IOException.class)) // or broken off half-way
                throw new Unavailable("no price for " + product, e);
            throw e;
        }
    }
}

// snippet:check
class PriceClientTest {
    @org.junit.jupiter.api.Test
    @org.junit.jupiter.api.Timeout(30)
    void answers() throws Exception {
        var asked = new java.util.concurrent.ConcurrentLinkedQueue<String>();
        var end = new java.util.concurrent.CountDownLatch(1);
        var server = com.sun.net.httpserver.HttpServer.create(new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0), 0);
        var threads = java.util.concurrent.Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getRawPath();
            asked.add(path);
            if (path.endsWith("silent")) {
                try { end.await(); } catch (InterruptedException e) { throw new IllegalStateException(e); }
            }
            if (path.endsWith("moved")) { exchange.sendResponseHeaders(302, -1); exchange.close(); return; }
            int status = switch (path) { case "/prices/tea", "/prices/half" -> 200; case "/prices/down" -> 503; case "/prices/bad" -> 400; default -> 404; };
            byte[] body = (status == 200 ? "{\"product\": \"tea\", \"cents\": 450}" : "{}").getBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, path.endsWith("half") ? 2 * body.length : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        var patient = new PriceClient(RestClient.builder(), url, Duration.ofSeconds(20)); // on a busy machine
        var hasty = new PriceClient(RestClient.builder(), url, Duration.ofMillis(300));
        for (String product : new String[] {"tea", "a/b?c", "down", "silent", "half", "bad", "moved"}) {
            long start = System.nanoTime();
            try {
                System.out.println((product.equals("silent") ? hasty : patient).priceOf(product) + " from " + asked.poll());
            } catch (Unavailable e) {
                boolean inTime = System.nanoTime() - start < 20_000_000_000L; // of a busy machine
                System.out.println(e.getMessage() + ": " + (e.getCause() instanceof HttpServerErrorException error ? error.getStatusCode().value() : inTime ? "in time" : "late"));
                asked.poll();
            } catch (RestClientException | NullPointerException e) {
                System.out.println(e.getClass().getSimpleName());
                asked.poll();
            }
        }
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
        try {
            patient.priceOf("tea");
        } catch (Unavailable e) {
            System.out.println(e.getMessage() + ": " + e.getCause().getCause().getClass().getSimpleName());
        }
    }
}
