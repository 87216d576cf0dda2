public import OffshoreWire

extension SyncEngine {
  /// The reason why a request failed. It has no value of a row, so it is safe to show and to log.
  public struct Failure: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code
    /// The problem, in one or two sentences of English for developers: the server's own, if it has
    /// sent them.
    ///
    /// For users, convert the failure to an `AppError` of `OffshorePresentation`, which has a text
    /// for each code.
    public let message: String
    /// The seconds that the server asks to wait before a retry, or `nil` if it does not.
    public let retryAfter: Int64?
    /// The status of the response, or `nil` if there was none.
    public let status: Int?

    /// Creates a failure.
    public init(
      _ code: Code, _ message: String, retryAfter: Int64? = nil, status: Int? = nil
    ) {
      self.code = code
      self.message = message
      self.retryAfter = retryAfter
      self.status = status
    }

    /// Creates a failure from the server's error response.
    public init(_ problem: WireProblem) {
      self.init(
        Code(status: problem.code.status), problem.message, retryAfter: problem.retryAfter,
        status: problem.code.status)
    }

    /// Creates a failure from the status of a response that has no reason in its body, such as a
    /// proxy's.
    public init(status: Int, retryAfter: Int64? = nil) {
      self.init(
        Code(status: status), "The server answered with the status \(status).",
        retryAfter: retryAfter, status: status)
    }

    /// The failure of a request whose task was cancelled.
    static let requestCancelled = Failure(.cancelled, "The request was given up.")

    /// Whether there was no response, so that the failure says nothing about the server.
    var isOfNetwork: Bool { status == nil && (code == .unreachable || code == .timedOut) }

    /// Whether a smaller request may succeed.
    var isOfSize: Bool { code == .tooLarge || code == .timedOut }

    /// The pause that the failure causes, or `nil` if requests continue.
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
  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}

extension SyncEngine.Failure {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unreachable, timedOut, unauthorized, upgradeRequired, tooLarge, server, malformed
      case storage, cancelled
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// Creates the code for the status of a response.
    init(status: Int) {
      switch status {
      case 401: self = .unauthorized
      case 408, 504: self = .timedOut
      case 413: self = .tooLarge
      case 426: self = .upgradeRequired
      default: self = .server
      }
    }

    /// The server cannot be reached.
    public static let unreachable = Code(.unreachable)
    /// The server did not answer in time, or a proxy before it says so by the status 408 or 504.
    public static let timedOut = Code(.timedOut)
    /// The server does not accept the access token. Nothing is sent until it changes, or until
    /// syncing is started again.
    public static let unauthorized = Code(.unauthorized)
    /// The server does not support this version of the app. Nothing is sent until syncing is
    /// started again.
    public static let upgradeRequired = Code(.upgradeRequired)
    /// The request is larger than the server, or a proxy before it, accepts. The next push is
    /// smaller.
    public static let tooLarge = Code(.tooLarge)
    /// The server failed, is too busy, or refuses the request: every status except 200, 401
    /// (``unauthorized``), 408 and 504 (``timedOut``), 413 (``tooLarge``) and 426
    /// (``upgradeRequired``), such as 403, 429 and 503.
    public static let server = Code(.server)
    /// The server's answer cannot be read.
    public static let malformed = Code(.malformed)
    /// The device's own database failed, for example because the disk is full.
    public static let storage = Code(.storage)
    /// The driver cancelled the request. This is not an error to show.
    public static let cancelled = Code(.cancelled)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }
}
