package sevens.sdk;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Creates the connections to an arena. */
final class Channels {
    /** Held here, because a logger without references is collected and loses its level. */
    private static final Logger LOGGER = Logger.getLogger("io.grpc");

    private final Settings settings;
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("arena", true), NioIoHandler.newFactory());

    Channels(Settings settings) {
        this.settings = settings;
        // The arena stores only part of a bot's stderr, and Patience reports broken streams.
        if (LOGGER.getLevel() == null) {
            LOGGER.setLevel(Level.SEVERE);
        }
    }

    ManagedChannel open() {
        return builder()
                // The arena decides how large a frame may be, and observes the limit itself.
                .maxInboundMessageSize(Integer.MAX_VALUE)
                // Notices when a remote arena has vanished. gRPC servers allow only one ping in 5
                // minutes.
                .keepAliveTime(310, TimeUnit.SECONDS)
                // gRPC's thread does no more with a frame than put it into a queue.
                .directExecutor()
                .build();
    }

    private NettyChannelBuilder builder() {
        if (settings.address().socket() instanceof InetSocketAddress far) {
            return NettyChannelBuilder.forAddress(
                    far.getHostString(), far.getPort(), settings.security());
        }
        // Java's own Unix sockets: unlike epoll's, they need no native library, which would have
        // to be written to /tmp first, and they are available on every system.
        return NettyChannelBuilder.forAddress(settings.address().socket(), settings.security())
                .channelFactory(NioDomainSocketChannel::new)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost");
    }
}
