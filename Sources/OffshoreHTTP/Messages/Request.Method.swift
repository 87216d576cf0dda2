extension Request {
  /// The method of a request; names are case-sensitive.
  public struct Method: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The name as it is sent, for example `GET`.
    public let rawValue: String

    /// Names a method that has no constant here.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads, without the body of the answer.
    public static let head = Method(rawValue: "HEAD")
    /// Reads.
    public static let get = Method(rawValue: "GET")
    /// Hands something over to be processed.
    public static let post = Method(rawValue: "POST")
    /// Stores the body at the path.
    public static let put = Method(rawValue: "PUT")
    /// Changes a part of what is at the path.
    public static let patch = Method(rawValue: "PATCH")
    /// Removes what is at the path.
    public static let delete = Method(rawValue: "DELETE")
    /// Asks what a path can do.
    public static let options = Method(rawValue: "OPTIONS")

    /// Whether a request only reads (<https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods>).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// The name as it is sent.
    public var description: String { rawValue }
  }
}
