package io.github.hotpath.examples.web;

import java.util.Map;
import java.util.Optional;

/**
 * The users of the example, in place of whatever authenticates in a service: each has a password, with which it gets a
 * token.
 */
final class Accounts {
    private static final String BEARER = "Bearer ";

    private final Map<String, String> passwords;

    /** Takes the password of each user. */
    Accounts(Map<String, String> passwords) {
        this.passwords = Map.copyOf(passwords);
    }

    /** Returns a token, if that is the user's password. */
    Optional<String> logIn(String user, String password) {
        return password.equals(passwords.get(user)) ? Optional.of(token(user)) : Optional.empty();
    }

    /** Returns the value of {@code Authorization} for a user. A service has random tokens, and checks them. */
    static String authorization(String user) {
        return BEARER + token(user);
    }

    private static String token(String user) {
        return "token-of-" + user;
    }

    /** Returns the user to whom the value of {@code Authorization} belongs, if it belongs to any. */
    Optional<String> user(String authorization) {
        return passwords.keySet().stream()
                .filter(user -> authorization.equals(authorization(user)))
                .findAny();
    }
}
