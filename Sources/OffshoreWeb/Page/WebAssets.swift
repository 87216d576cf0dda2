import OffshoreHTTP

/// The stylesheet and the script of all pages, which are part of the program.
///
/// Their addresses contain a digest of their content, so that browsers keep them for good and still get
/// the newest.
struct WebAssets: Sendable {
  /// How pages look.
  static let look = WebAssets("look", "css", type: "text/css", PackageResources.look_css)
  /// What keeps pages current.
  static let live = WebAssets(
    "live", "js", type: "text/javascript",
    PackageResources.patch_js + PackageResources.forms_js + PackageResources.live_js)

  let fileName: String
  let file: StaticFile

  /// Where pages find it.
  var address: String { "/assets/\(fileName)" }

  init(_ name: String, _ suffix: String, type: String, _ bytes: [UInt8]) {
    file = StaticFile(
      bytes, contentType: "\(type); charset=utf-8",
      cacheControl: "public, max-age=31536000, immutable")
    fileName = "\(name)-\(file.fingerprint).\(suffix)"
  }

  /// Whether a path is that of the stylesheet or the script.
  static func contain(path: String) -> Bool { [look, live].contains { $0.address == path } }

  /// The file of a name.
  /// - Throws: ``HTTPError`` with 404 where there is none.
  static func file(named fileName: String) throws -> StaticFile {
    guard let asset = [look, live].first(where: { $0.fileName == fileName }) else {
      throw HTTPError(.notFound)
    }
    return asset.file
  }
}
