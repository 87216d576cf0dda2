extension Request {
  /// The method of a request. Names are case-sensitive.
  public struct Method: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The name as it is sent, for example `GET`.
    public let rawValue: String

    /// Creates a method with a name that has no constant here.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Retrieves a resource without its content.
    public static let head = Method(rawValue: "HEAD")
    /// Retrieves a resource.
    public static let get = Method(rawValue: "GET")
    /// Submits content to be processed.
    public static let post = Method(rawValue: "POST")
    /// Stores the body at the path.
    public static let put = Method(rawValue: "PUT")
    /// Changes a part of the resource at the path.
    public static let patch = Method(rawValue: "PATCH")
    /// Deletes the resource at the path.
    public static let delete = Method(rawValue: "DELETE")
    /// Retrieves the methods that a path supports.
    public static let options = Method(rawValue: "OPTIONS")

    /// Whether the method only reads (<https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods>).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// The name as it is sent.
    public var description: String { rawValue }
  }
}
