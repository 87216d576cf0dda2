extension SyncServer {
  /// The configuration of a server.
  public typealias Configuration = ServerConfiguration
}

/// The configuration of a server.
public struct ServerConfiguration: Sendable {
  /// Whether users can sign up by themselves.
  public var opensSignUp = true
  /// The proxies that are trusted to report the addresses of their clients.
  public var trustedProxies: [AddressRange] = []
  /// The token for reading the metrics from other machines, or `nil` to allow this machine only.
  public var metricsToken: String?
  /// The name of the app in the lines of the log, for a server of several apps.
  public var app: String?
  /// The log of requests.
  public var log = RequestLog.none

  /// Creates a configuration that allows sign-ups, trusts no proxy and logs nothing.
  public init() {}
}
