public import OffshoreLogging

/// The configuration of a server.
public struct ServerConfiguration: Sendable {
  /// Whether users can sign up by themselves; `true` by default.
  public var opensSignUp = true
  /// The proxies that are trusted to report the addresses of their clients; none by default.
  public var trustedProxies: [AddressRange] = []
  /// The token for reading the metrics from other machines, or `nil` to allow this machine only.
  public var metricsToken: String?
  /// The oldest version of the manifest that devices may have; 1 by default.
  ///
  /// An older device is asked to update its app.
  public var oldestVersion = 1
  /// The limits of stored rows; none by default.
  public var storageLimits = StorageLimits()
  /// The limits for storing blobs; 64 MiB a blob, 1 GiB an account and 4 GiB a scope by default.
  public var blobLimits = BlobLimits()
  /// The name of the app in the entries of the log, for a server of several apps.
  public var app: String?
  /// The log of requests and failures; none by default.
  ///
  /// `LogSink.jsonLines` writes a line of JSON for each:
  ///
  /// ```json
  /// {"time":"2026-05-01T12:00:00.123Z","level":"info","request":"5a1c…","method":"POST",
  ///  "route":"/v1/push","status":200,"milliseconds":1.25,"bytes":64,"account":"6F96…"}
  /// ```
  ///
  /// The entries contain nothing that a user sent: no tokens, names, addresses, bodies, or values
  /// of queries. A request with a malformed head is not logged.
  public var log = LogSink.none

  /// Creates the default configuration.
  public init() {}
}
