import OffshoreHTTP

/// The stylesheet and the script of all pages, which are part of the program.
///
/// Their addresses contain a digest of their content, so that browsers keep them for good and still get
/// the newest.
struct WebAssets: Sendable {
  /// How pages look.
  static let look = WebAssets("look", "css", type: "text/css", PackageResources.look_css)
  /// What keeps pages current.
  static let live = WebAssets("live", "js", type: "text/javascript", PackageResources.live_js)

  let fileName: String
  let response: Response

  /// Where pages find it.
  var address: String { "/assets/\(fileName)" }

  init(_ name: String, _ suffix: String, type: String, _ bytes: [UInt8]) {
    fileName = "\(name)-\(String(Self.digest(bytes), radix: 36)).\(suffix)"
    response = Response(
      .ok,
      headers: [
        "Content-Type": "\(type); charset=utf-8",
        "Cache-Control": "public, max-age=31536000, immutable",
      ], body: .bytes(bytes))
  }

  /// Whether a path is that of the stylesheet or the script.
  static func contain(path: String) -> Bool { [look, live].contains { $0.address == path } }

  /// The response for a file name.
  /// - Throws: ``HTTPError`` with 404 where there is no such file.
  static func response(for fileName: String) throws -> Response {
    guard let asset = [look, live].first(where: { $0.fileName == fileName }) else {
      throw HTTPError(.notFound)
    }
    return asset.response
  }

  /// FNV-1a, which tells versions apart and nothing more
  /// (<https://datatracker.ietf.org/doc/draft-eastlake-fnv/>).
  private static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
