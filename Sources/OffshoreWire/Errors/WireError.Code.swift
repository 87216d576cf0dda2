extension WireError {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case truncated, malformed, tooLarge, unsupportedVersion, invalidName, invalidManifest
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// The bytes end before the message does.
    public static let truncated = Code(.truncated)
    /// The bytes or the text are not a message of this kind.
    public static let malformed = Code(.malformed)
    /// A value is larger than ``WireLimits`` allows.
    public static let tooLarge = Code(.tooLarge)
    /// The version of the message's protocol is not supported.
    public static let unsupportedVersion = Code(.unsupportedVersion)
    /// A scope, a device or a hash is not written in its form.
    public static let invalidName = Code(.invalidName)
    /// A schema manifest contradicts itself or cannot be read.
    public static let invalidManifest = Code(.invalidManifest)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }
}
