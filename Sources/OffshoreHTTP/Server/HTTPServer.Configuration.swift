import CMicroHTTPD

extension HTTPServer {
  /// The address and the limits of a server.
  public struct Configuration: Sendable {
    /// The numeric address to listen at. The default accepts connections from this machine only.
    public var address = "127.0.0.1"
    /// The port to listen at, or 0 for one that the system chooses.
    public var port: UInt16 = 0
    /// The certificate and key for encrypted connections, or `nil` for unencrypted ones.
    public var tls: TLS?
    /// The number of threads that serve connections, at least 1.
    public var threads = 2

    /// The maximum number of open connections; further ones wait.
    public var maximumConnections = 1_024
    /// The maximum number of open connections from one address; further ones are closed.
    public var maximumConnectionsPerAddress = 256
    /// The maximum number of bytes of request line and headers together; more are answered with
    /// 431.
    public var maximumHeaderSize = 16 * 1_024
    /// The maximum number of bytes of path and query together; more are answered with 414.
    public var maximumTargetLength = 4_096
    /// The maximum number of bytes of a body if its route sets no limit; more are answered with
    /// 413.
    public var bodyLimit = 1 << 20
    /// The maximum number of bytes of all bodies and responses that are held at once; requests
    /// beyond are answered with 503 and `Retry-After`. Responses of up to 16 KiB are always sent.
    public var maximumHeldBytes = 256 << 20
    /// The maximum number of bytes of bodies and responses that are held for one client at once.
    public var maximumHeldBytesPerClient = 64 << 20

    /// The time for a client to send its headers, from connecting on; for a later request on the
    /// connection, from its first byte on.
    public var headerDeadline = Duration.seconds(10)
    /// The time for a client to send the body, from the end of its headers on. It is long enough for
    /// 8 MiB over a link of 75 kbit/s.
    public var bodyDeadline = Duration.seconds(900)
    /// The time for a client to receive a response, unless that is a stream of events.
    public var responseDeadline = Duration.seconds(900)
    /// The time for which a client may send no byte of a body, or receive no byte of a response.
    public var stallTimeout = Duration.seconds(30)
    /// The time for which a connection may stay open without a request; whole seconds, at least 1.
    public var idleTimeout = Duration.seconds(60)
    /// The interval of comments on a silent stream of events, which detect lost clients.
    public var heartbeat = Duration.seconds(15)
    /// The time for which ``HTTPServer/stop()`` waits for current requests.
    ///
    /// With 8 seconds, a program has time to close its files before it is killed: some process
    /// managers do that after 10 seconds.
    public var stopDeadline = Duration.seconds(8)

    /// Creates a configuration for this machine only, on a port that the system chooses.
    public init() {}

    /// The bytes of memory for parsing a request: its headers, with three quarters of them for the
    /// parsed fields and the headers of the response. Each idle stream of events holds them.
    var memoryPerConnection: Int { max(7 * 1_024, maximumHeaderSize * 7 / 4) }

    /// The interval at which deadlines are checked: a tenth of the shortest, between 10 ms and 1 s.
    var tick: Duration {
      let shortest = min(
        headerDeadline, bodyDeadline, responseDeadline, stallTimeout, heartbeat)
      return min(max(shortest / 10, .milliseconds(10)), .seconds(1))
    }
  }
}

extension HTTPServer {
  /// The certificate and key for encrypted connections, by TLS 1.2 or 1.3.
  ///
  /// A renewed certificate requires a new server.
  public struct TLS: Sendable {
    /// The server's certificate followed by its issuers' certificates, in PEM.
    public let certificates: String
    /// The private key of the certificate, in PEM.
    public let key: String

    /// Checks a certificate and its key.
    /// - Throws: ``HTTPServerError`` with the code `certificateInvalid` if they cannot be parsed,
    ///   or do not match.
    public init(certificates: String, key: String) throws {
      self.certificates = certificates
      self.key = key
      let fits = certificates.withCString { certificates in
        key.withCString { key in
          offshore_tls_fits(offshore_mhd_tls(certificates: certificates, key: key)) != 0
        }
      }
      guard fits else {
        throw HTTPServerError(
          .certificateInvalid,
          "Certificate and key are not in PEM, or not of each other. Take both from one issue.")
      }
    }
  }
}
