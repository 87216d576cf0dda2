import Foundation

/// The parts of an address that leads into an app: a path and a query, as values.
///
/// ```swift
/// let link = try DeepLink("anyfleet://charter?id=7", scheme: "anyfleet")
/// link.path   // ["charter"]
/// link.query  // ["id": "7"]
/// link.url(scheme: "anyfleet")  // anyfleet://charter?id=7
/// ```
///
/// What was printed is read as the same value. A link comes from anywhere: reading one throws where
/// it is none, and never traps.
public struct DeepLink: Hashable, Sendable {
  /// The path's components, of which none is empty.
  public let path: [String]
  /// The query's values by name. Of a name that is there twice the first value counts.
  public let query: [String: String]

  /// Takes the parts; components that are empty are left out.
  public init(_ path: [String], query: [String: String] = [:]) {
    self.path = path.filter { !$0.isEmpty }
    self.query = query
  }

  /// The most bytes of an address that are read.
  public static let maximumLength = 8_192

  /// Reads an address by [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986).
  ///
  /// - Parameters:
  ///   - text: an address with the app's scheme, whose path begins right after `//`; or one of the
  ///     web, whose host does not matter; or a path alone. A fragment is left out.
  ///   - scheme: the app's scheme.
  /// - Throws: ``ContentError``: `unreadable` where it is none of these, is not text once it is
  ///   decoded, or is too long.
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

  /// The address with a scheme.
  public func url(scheme: String) -> String { "\(scheme):/\(relative)" }

  /// The address without a scheme: `/charter?id=7`.
  public var relative: String {
    let path = path.map { "/\($0.percentEncoded)" }.joined()
    let pairs = query.sorted { $0.key < $1.key }.map {
      "\($0.key.percentEncoded)=\($0.value.percentEncoded)"
    }
    return (path.isEmpty ? "/" : path) + (pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))")
  }

  // MARK: - Reading

  /// What of an address is path, or `nil` where its scheme is another's.
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

  /// A name and its value, or `nil` where they are not text once they are decoded.
  private static func pair(_ text: Substring) -> (String, String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.replacing("+", with: " ").removingPercentEncoding }
    guard let name = parts.first ?? "", let value = parts.count > 1 ? parts[1] : "" else {
      return nil
    }
    return (name, value)
  }
}
