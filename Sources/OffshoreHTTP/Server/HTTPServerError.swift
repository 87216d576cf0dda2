/// The reason for which a server did not start, and its remedy.
public struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case addressInUse, addressInvalid, notPermitted, alreadyStarted, certificateInvalid, system
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// Another program listens at the port.
    public static let addressInUse = Code(.addressInUse)
    /// The address is not numeric, or not an address of this machine.
    public static let addressInvalid = Code(.addressInvalid)
    /// This user may not listen at the port.
    public static let notPermitted = Code(.notPermitted)
    /// The server was started before.
    public static let alreadyStarted = Code(.alreadyStarted)
    /// The certificate or its key cannot be parsed, or they do not match.
    public static let certificateInvalid = Code(.certificateInvalid)
    /// The system reported another error.
    public static let system = Code(.system)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy.
  public let message: String

  /// The message with the kind.
  public var description: String { "\(message) (\(code))" }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
