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

/** Makes the connections to an arena. */
final class Channels {
    /** Kept here, because a logger that nobody holds forgets its level. */
    private static final Logger LOGGER = Logger.getLogger("io.grpc");

    private final Settings settings;
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("arena", true), NioIoHandler.newFactory());

    Channels(Settings settings) {
        this.settings = settings;
        // The arena keeps only so much of a bot's stderr; what breaks a stream is told anyway.
        if (LOGGER.getLevel() == null) {
            LOGGER.setLevel(Level.SEVERE);
        }
    }

    ManagedChannel open() {
        return builder()
                // How large a frame may be is the arena's to say, and it keeps to that.
                .maxInboundMessageSize(Integer.MAX_VALUE)
                // Notices that a far arena is gone; more often than every 5 minutes gRPC servers
                // do not allow.
                .keepAliveTime(310, TimeUnit.SECONDS)
                // What is done with a frame in gRPC's thread is to put it into a queue.
                .directExecutor()
                .build();
    }

    private NettyChannelBuilder builder() {
        if (settings.address().socket() instanceof InetSocketAddress far) {
            return NettyChannelBuilder.forAddress(
                    far.getHostString(), far.getPort(), settings.security());
        }
        // Java's own Unix sockets: unlike epoll's they need no native library, which would have to
        // be written to /tmp first, and are there on every system.
        return NettyChannelBuilder.forAddress(settings.address().socket(), settings.security())
                .channelFactory(NioDomainSocketChannel::new)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost");
    }
}
