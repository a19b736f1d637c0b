/**
 * Limits for gRPC: {@link RateLimitInterceptor}.
 *
 * <p>Files: this package, web.
 *
 * <p>Dependencies: hotpath-core, jspecify, grpc-api, grpc-protobuf, grpc-stub, protobuf-java, protobuf-java-util, proto-google-common-protos, ipaddress.
 */
@NullMarked
package io.github.hotpath.examples.web.grpc;

import org.jspecify.annotations.NullMarked;
