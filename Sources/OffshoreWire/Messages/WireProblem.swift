/// The reason for which a server refuses a request, as the body of an error response.
public struct WireProblem: Error, Hashable, Sendable {
  /// The kind of reason.
  public let code: Code
  /// The reason and its remedy, in a sentence or two.
  public let message: String
  /// The versions of the protocol that the server supports.
  public let versions: ClosedRange<UInt8>
  /// The seconds to wait before a retry, or `nil` if the server does not know.
  public let retryAfter: Int64?

  /// Creates a problem.
  package init(
    _ code: Code, _ message: String,
    versions: ClosedRange<UInt8> = WireProtocol.oldestVersion...WireProtocol.version,
    retryAfter: Int64? = nil
  ) {
    self.code = code
    self.message = message
    self.versions = versions
    self.retryAfter = retryAfter
  }

  /// Creates the problem of a request that cannot be parsed.
  package init(_ error: WireError) {
    switch error.code {
    case .tooLarge: self.init(.tooLarge, error.message)
    case .unsupportedVersion: self.init(.upgradeRequired, error.message)
    default: self.init(.malformed, error.message)
    }
  }
}

extension WireProblem {
  /// A kind of reason. A newer server may send one that is not listed here.
  public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The name of the code in messages.
    public let rawValue: String

    /// Creates the code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// The request cannot be parsed.
    public static let malformed = Code("malformed")
    /// The request has no access token, or one that is not valid any more.
    public static let unauthorized = Code("unauthorized")
    /// The account may not do this.
    public static let forbidden = Code("forbidden")
    /// The request is larger than ``WireLimits`` allows.
    public static let tooLarge = Code("tooLarge")
    /// The version of the protocol or of the app's schema is not supported any more.
    public static let upgradeRequired = Code("upgradeRequired")
    /// The account or the address has sent too many requests.
    public static let tooManyRequests = Code("tooManyRequests")
    /// The server failed.
    public static let internalError = Code("internalError")
    /// The server cannot answer now.
    public static let unavailable = Code("unavailable")

    /// The name of the code.
    public var description: String { rawValue }

    /// The status of the response (<https://www.rfc-editor.org/rfc/rfc9110#name-status-codes>).
    package var status: Int {
      switch self {
      case .malformed: 400
      case .unauthorized: 401
      case .forbidden: 403
      case .tooLarge: 413
      case .upgradeRequired: 426
      case .tooManyRequests: 429
      case .unavailable: 503
      default: 500
      }
    }
  }
}

extension WireProblem: WireMessage {
  package static var kind: WireKind { .problem }

  package func encode(into writer: inout WireWriter) {
    writer.text(code.rawValue)
    writer.text(message)
    writer.byte(versions.lowerBound)
    writer.byte(versions.upperBound)
    writer.flag(retryAfter != nil)
    if let retryAfter { writer.signed(retryAfter) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let code = Code(rawValue: try reader.name())
    let message = try reader.text()
    let (oldest, newest) = (try reader.byte(), try reader.byte())
    guard oldest <= newest else { throw reader.malformed("The versions are in no order.") }
    self.init(
      code, message, versions: oldest...newest,
      retryAfter: try reader.flag() ? try reader.signed() : nil)
  }
}
