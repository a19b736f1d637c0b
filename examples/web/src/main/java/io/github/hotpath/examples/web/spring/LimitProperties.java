package io.github.hotpath.examples.web.spring;

import io.github.hotpath.limit.Limit;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code hotpath.limits.*}. A limit is written as permits and interval, such as {@code 60/1m}.
 *
 * @param client the limit of each client
 * @param tenant the limit of each tenant
 * @param service the limit of all requests together
 * @param failedLogins how many log-ins of an address may fail
 * @param loginPath the path to which passwords are posted
 * @param exempt the paths of requests that are not counted, such as those of probes: {@code /a} or {@code /a/**}
 * @param trustedProxies the addresses and ranges of your own proxies
 * @param forwardedHeader the field that these write
 * @param ipv6PrefixLength how many bits of an IPv6 address are a client
 */
@ConfigurationProperties("hotpath.limits")
public record LimitProperties(
        @DefaultValue("60/1m") Limit client,
        @DefaultValue("600/1m") Limit tenant,
        @DefaultValue("1000/1s") Limit service,
        @DefaultValue("5/15m") Limit failedLogins,
        @DefaultValue("/login") String loginPath,
        @DefaultValue("/actuator/health/**") List<String> exempt,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue("X-Forwarded-For") String forwardedHeader,
        @DefaultValue("64") int ipv6PrefixLength) {}
