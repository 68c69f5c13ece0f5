// snippet:check
// snippet:doc https://docs.spring.io/spring-boot/reference/features/external-config.html Externalized configuration
// snippet:into Put it into an application made by start.spring.io with Validation, below its main package.
// snippet:about Spring Boot
// snippet:needs Spring Boot 3
// snippet:prints mail.example.com:587 within PT5S
// snippet:prints smtp.example.com:2525 within PT0.25S
// snippet:prints refused: mail.port must be less than or equal to 65535
// snippet:prints refused: mail.host must not be blank
// snippet:prints 1 passed, 0 failed
package com.example.shop;
// snippet:end
import jakarta.validation.constraints.*;
import java.time.Duration;
import org.springframework.boot.context.properties.*;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;
import org.springframework.validation.annotation.Validated;

// application.yaml, or SHOP_MAIL_HOST in the environment:
//   shop.mail: {host: mail.example.com, timeout: 5s}
@Validated
@ConfigurationProperties("shop.mail")
record MailSettings(
    @NotBlank String host,
    @Min(1) @Max(65535) @DefaultValue("587") int port,
    @NotNull @DefaultValue("5s") Duration timeout) {}

@Service
class Mailer {
    private final MailSettings settings;

    Mailer(MailSettings settings) { // needs @ConfigurationPropertiesScan on the application
        this.settings = settings;
    }

    String server() {
        return settings.host() + ":" + settings.port() + " within " + settings.timeout();
    }
}

// snippet:check
class MailSettingsTest {
    @org.springframework.context.annotation.Configuration @EnableConfigurationProperties(MailSettings.class)
    @org.springframework.boot.autoconfigure.ImportAutoConfiguration(org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration.class)
    @org.springframework.context.annotation.Import(Mailer.class) static class App {}

    @org.junit.jupiter.api.Test
    void settings() {
        start("shop.mail.host=mail.example.com");
        start("shop.mail.host=smtp.example.com", "shop.mail.port=2525", "shop.mail.timeout=250ms");
        start("shop.mail.host=x", "shop.mail.port=70000");
        start("shop.mail.port=25");
    }
    void start(String... properties) {
        new org.springframework.boot.test.context.runner.ApplicationContextRunner().withUserConfiguration(App.class).withPropertyValues(properties).run(context -> {
            if (context.getStartupFailure() == null) System.out.println(context.getBean(Mailer.class).server());
            else for (Throwable t = context.getStartupFailure(); t != null; t = t.getCause())
                if (t instanceof org.springframework.boot.context.properties.bind.validation.BindValidationException e)
                    System.out.println("refused: mail." + ((org.springframework.validation.FieldError) e.getValidationErrors().getAllErrors().get(0)).getField() + " " + e.getValidationErrors().getAllErrors().get(0).getDefaultMessage());
        });
    }
}
