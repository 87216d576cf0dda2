/// A small value that a browser stores and sends with each request to the same host.
///
/// Browsers distinguish hosts by name, not by port: two servers on one machine need cookies with
/// different names.
public struct Cookie: Sendable, Equatable {
  /// The condition for sending a cookie with a request that another site caused.
  public enum SameSite: String, Sendable {
    /// Never.
    case strict = "Strict"
    /// Only when the user follows a link.
    case lax = "Lax"
  }

  /// The name, a token (<https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1>).
  public var name: String
  /// The value. Characters that a cookie cannot contain are percent-encoded when it is sent.
  public var value: String
  /// The path below which the cookie is sent.
  public var path = "/"
  /// The seconds for which the browser stores it; 0 deletes it, and `nil` stores it for the
  /// session.
  public var maxAge: Int?
  /// Whether scripts of the page cannot read it.
  public var isHTTPOnly = true
  /// Whether it is sent over encrypted connections only.
  public var isSecure = false
  /// The condition for sending it with a request that another site caused.
  public var sameSite = SameSite.strict

  /// Creates a cookie for the session that scripts and other sites cannot use.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The value of the `Set-Cookie` field.
  var headerValue: String {
    var parts = ["\(name)=\(PercentEncoding.encode(value, allowed: Self.isPlain))", "Path=\(path)"]
    if let maxAge { parts.append("Max-Age=\(maxAge)") }
    if isHTTPOnly { parts.append("HttpOnly") }
    if isSecure { parts.append("Secure") }
    parts.append("SameSite=\(sameSite.rawValue)")
    return parts.joined(separator: "; ")
  }

  /// Parses the cookies of `Cookie` fields. Parts without an equals sign are ignored.
  static func parse(_ values: [String]) -> [String: String] {
    var cookies: [String: String] = [:]
    for value in values {
      for part in value.utf8.split(separator: UInt8(ascii: ";")) {
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = String(decoding: ASCII.trimmed(part[..<equals]), as: UTF8.self)
        guard !name.isEmpty, cookies[name] == nil else { continue }
        let value = ASCII.trimmed(part[part.index(after: equals)...])
        cookies[name] = PercentEncoding.decodeLeniently(value, plusIsSpace: false)
      }
    }
    return cookies
  }

  /// Returns whether a byte is sent unencoded in a cookie's value. The percent sign never is.
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x21...0x7E ~= byte && !#""%,;\"#.utf8.contains(byte)
  }
}
