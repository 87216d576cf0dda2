extension HTTPServer {
  /// Where a server listens, and the limits it keeps to.
  public struct Configuration: Sendable {
    /// The numeric address to listen at; only this machine reaches the default.
    public var address = "127.0.0.1"
    /// The port to listen at; 0 lets the system choose one.
    public var port: UInt16 = 0
    /// What connections are encrypted with; `nil` leaves them as they are.
    public var tls: TLS?
    /// How many threads wait for requests; 1 or more.
    public var threads = 2

    /// How many connections may be open; further ones wait.
    public var maximumConnections = 1_024
    /// How many connections one address may have open; further ones are closed.
    public var maximumConnectionsPerAddress = 256
    /// How many bytes request line and headers may have together; beyond, the answer is 431.
    public var maximumHeaderSize = 16 * 1_024
    /// How many bytes path and query may have together; beyond, the answer is 414.
    public var maximumTargetLength = 4_096
    /// How many bytes a body may have where its route does not say; beyond, the answer is 413.
    public var bodyLimit = 1 << 20

    /// How long a client may take from connecting until its headers are complete; those of a later
    /// request on the connection, from their first byte.
    public var headerDeadline = Duration.seconds(10)
    /// How long a client may take from its headers until its body is complete.
    public var bodyDeadline = Duration.seconds(30)
    /// How long a client may take to read a response that is no stream of events.
    public var responseDeadline = Duration.seconds(300)
    /// How long a connection may stay open without a request; whole seconds, 1 or more.
    public var idleTimeout = Duration.seconds(60)
    /// How often a silent stream of events writes a comment, by which lost clients are noticed.
    public var heartbeat = Duration.seconds(15)
    /// How long stopping waits for requests that are under way.
    public var stopDeadline = Duration.seconds(10)

    /// Makes a configuration for this machine alone, on a port that the system chooses.
    public init() {}

    /// Memory for reading a request, with room for the fields that the server parses out of it.
    var memoryPerConnection: Int { max(32 * 1_024, 2 * maximumHeaderSize) }

    /// How often deadlines are looked at: a tenth of the shortest, between 10 ms and 1 s.
    var tick: Duration {
      let shortest = min(headerDeadline, bodyDeadline, responseDeadline, heartbeat)
      return min(max(shortest / 10, .milliseconds(10)), .seconds(1))
    }
  }
}
