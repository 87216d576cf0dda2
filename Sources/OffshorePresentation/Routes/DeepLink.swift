import Foundation

/// A link into an app as values: a path and a query.
///
/// ```swift
/// let link = try DeepLink("anyfleet://charter?id=7", scheme: "anyfleet")
/// link.path   // ["charter"]
/// link.query  // ["id": "7"]
/// link.url(scheme: "anyfleet")  // anyfleet://charter?id=7
/// ```
///
/// Parsing a printed link returns an equal value. Parsing a link that is not valid throws, and
/// never traps, because links come from other programs.
public struct DeepLink: Hashable, Sendable {
  /// The components of the path. None is empty.
  public let path: [String]
  /// The values of the query by name. If a name occurs twice, the first value counts.
  public let query: [String: String]

  /// Creates a link from its parts. Empty components are left out.
  public init(_ path: [String], query: [String: String] = [:]) {
    self.path = path.filter { !$0.isEmpty }
    self.query = query
  }

  /// The maximum length of an address that is parsed, in bytes of UTF-8.
  static let maximumLength = 8_192

  /// Parses an address by [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986).
  ///
  /// - Parameters:
  ///   - text: an address with the app's scheme, whose path starts right after `//`; or an `http`
  ///     or `https` address, whose host is ignored; or a path alone. A fragment is ignored.
  ///   - scheme: the app's scheme.
  /// - Throws: ``ContentError`` with `unreadable` if the address has another scheme, is too long,
  ///   or is not valid UTF-8 after percent-decoding.
  public init(_ text: String, scheme: String) throws(ContentError) {
    guard text.utf8.count <= Self.maximumLength else { throw .unreadable }
    let address = text.prefix { $0 != "#" }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let place = Self.place(parts.first ?? "", scheme) else { throw .unreadable }
    let path = place.split(separator: "/").map { $0.removingPercentEncoding }
    let pairs = parts.dropFirst().joined().split(separator: "&").map(Self.pair)
    guard !path.contains(nil), !pairs.contains(where: { $0 == nil }) else { throw .unreadable }
    self.init(
      path.compactMap(\.self), query: Dictionary(pairs.compactMap(\.self)) { first, _ in first })
  }

  /// Returns the address with a scheme.
  public func url(scheme: String) -> String { "\(scheme):/\(relative)" }

  /// The address without a scheme: `/charter?id=7`.
  public var relative: String {
    let path = path.map { "/\($0.percentEncoded)" }.joined()
    let pairs = query.sorted { $0.key < $1.key }.map {
      "\($0.key.percentEncoded)=\($0.value.percentEncoded)"
    }
    return (path.isEmpty ? "/" : path) + (pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))")
  }

  // MARK: - Parsing

  /// Returns the part of an address after scheme and host, or `nil` if the scheme is another one.
  private static func place(_ address: Substring, _ scheme: String) -> Substring? {
    guard let colon = address.firstIndex(of: ":"), !address[..<colon].contains("/") else {
      return address
    }
    let rest = address[address.index(after: colon)...]
    switch address[..<colon].lowercased() {
    case scheme.lowercased(): return rest
    case "http", "https":
      guard rest.hasPrefix("//") else { return nil }
      return rest.dropFirst(2).drop { $0 != "/" }
    default: return nil
    }
  }

  /// Returns a name and its value, or `nil` if they are not valid UTF-8 after percent-decoding.
  private static func pair(_ text: Substring) -> (String, String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.replacing("+", with: " ").removingPercentEncoding }
    guard let name = parts.first ?? "", let value = parts.count > 1 ? parts[1] : "" else {
      return nil
    }
    return (name, value)
  }
}

/// A destination of links, such as a screen or a tab.
public protocol LinkDestination: Hashable, Sendable {
  /// Creates the destination of a link, or `nil` if the link leads to another kind of destination.
  init?(_ link: DeepLink)

  /// The link to this destination. Its destination is an equal value.
  var link: DeepLink { get }
}

extension String {
  /// The text with all characters percent-encoded except the unreserved ones of RFC 3986
  /// (<https://www.rfc-editor.org/rfc/rfc3986#section-2.3>).
  package var percentEncoded: String {
    // Most values are ids, which need no encoding.
    guard !utf8.allSatisfy(Self.isUnreserved) else { return self }
    // NB: The result is never `nil`, because Swift strings are always well-formed.
    return addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static let unreserved = CharacterSet(
    charactersIn: String(decoding: (0..<128).filter(isUnreserved), as: UTF8.self))
}
