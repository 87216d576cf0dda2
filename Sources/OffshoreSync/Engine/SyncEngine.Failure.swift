public import OffshoreWire

extension SyncEngine {
  /// Why a request came to nothing. It holds no value of a row, so it is safe to show and to log.
  public struct Failure: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code
    /// What is wrong, in a sentence or two.
    public let message: String
    /// After how many seconds the server says that it is worth trying again.
    public let retryAfter: Int64?

    /// Describes a failure.
    public init(_ code: Code, _ message: String, retryAfter: Int64? = nil) {
      self.code = code
      self.message = message
      self.retryAfter = retryAfter
    }

    /// Takes why the server does not answer.
    public init(_ problem: WireProblem) {
      self.init(
        Code(status: problem.code.status), problem.message, retryAfter: problem.retryAfter)
    }

    /// Takes the status of a response whose body does not say why, as a proxy's.
    public init(status: Int, retryAfter: Int64? = nil) {
      self.init(
        Code(status: status), "The server answered with the status \(status).",
        retryAfter: retryAfter)
    }

    /// Whether the server was not reached, so that it tells nothing about the server.
    var isOfNetwork: Bool { code == .unreachable || code == .timedOut }

    /// What has to happen before another request makes sense.
    var pause: Pause? {
      switch code {
      case .unauthorized: .unauthorized
      case .upgradeRequired: .upgradeRequired
      default: nil
      }
    }
  }
}

extension SyncEngine.Failure: CustomStringConvertible {
  public var description: String { "\(code): \(message)" }
}

extension SyncEngine.Failure {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unreachable, timedOut, unauthorized, upgradeRequired, server, malformed, storage
      case cancelled
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// The code of a response's status.
    init(status: Int) {
      switch status {
      case 401: self = .unauthorized
      case 426: self = .upgradeRequired
      default: self = .server
      }
    }

    /// There is no way to the server.
    public static let unreachable = Code(.unreachable)
    /// The server did not answer in time.
    public static let timedOut = Code(.timedOut)
    /// The server does not take the credentials. Nothing is sent until they change.
    public static let unauthorized = Code(.unauthorized)
    /// The server takes no app of this version. Nothing is sent until syncing is started anew.
    public static let upgradeRequired = Code(.upgradeRequired)
    /// The server failed, is too busy, or does not take the request.
    public static let server = Code(.server)
    /// The server's answer cannot be read.
    public static let malformed = Code(.malformed)
    /// The device's own database failed, as where the disk is full.
    public static let storage = Code(.storage)
    /// The driver gave the request up. It is no error to show.
    public static let cancelled = Code(.cancelled)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }
}
