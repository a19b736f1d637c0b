package app;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Application {
    @GetMapping("/")
    String greet() {
        return "welcome";
    }

    public static void main(String[] args) throws Exception {
        Ask.untilRefused(Application.class, 60);
    }
}
