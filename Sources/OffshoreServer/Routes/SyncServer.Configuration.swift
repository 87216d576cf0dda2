extension SyncServer {
  /// What whoever runs a server decides.
  public typealias Configuration = ServerConfiguration
}

/// What whoever runs a server decides.
public struct ServerConfiguration: Sendable {
  /// Whether anybody can make an account.
  public var opensSignUp = true
  /// The proxies whose word is taken for where requests come from.
  public var trustedProxies: [AddressRange] = []
  /// What lets others than this machine read the metrics, as a bearer token; `nil` lets nobody.
  public var metricsToken: String?
  /// The name of the app in the lines of the log, for a server of several apps.
  public var app: String?
  /// Where a line about each request goes.
  public var log = RequestLog.none

  /// Anybody can make an account, no proxy is trusted, and nothing is logged.
  public init() {}
}
