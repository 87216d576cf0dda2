import OffshoreHTTP

/// The stylesheet and the script of all pages, which are part of the program.
///
/// Their addresses contain a digest of their content, so that browsers keep them for good and still get
/// the newest. They are served without comments and indentation, and rules without the spaces that have no
/// meaning, which are a quarter of them.
struct WebAssets: Sendable {
  /// How pages look.
  static let look = WebAssets(
    "look", "css", type: "text/css",
    compactRules(
      PackageResources.look_css + PackageResources.rows_css + PackageResources.forms_css
        + PackageResources.parts_css + PackageResources.things_css + PackageResources.windows_css))
  /// What keeps pages current.
  static let live = WebAssets(
    "live", "js", type: "text/javascript",
    withoutComments(
      PackageResources.patch_js + PackageResources.forms_js + PackageResources.live_js))

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

  /// Removes comments of whole lines, from `//` on or from `/*` to `*/`, and the space before each line.
  static func withoutComments(_ source: [UInt8]) -> [UInt8] {
    var lines: [Substring] = []
    var isInComment = false
    for line in String(decoding: source, as: UTF8.self).split(separator: "\n") {
      let line = line.drop(while: \.isWhitespace)
      if line.hasPrefix("/*") { isInComment = true }
      if !isInComment, !line.hasPrefix("//") { lines.append(line) }
      if line.hasSuffix("*/") { isInComment = false }
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// Removes comments of whole lines, indentation, the spaces around braces and after `:`, `;` and `,`, and
  /// the line breaks after `}`, `;` and `,`.
  ///
  /// Rules in a file of this package have no text with such a space.
  static func compactRules(_ source: [UInt8]) -> [UInt8] {
    let rules = String(decoding: withoutComments(source), as: UTF8.self)
    let spaces: KeyValuePairs = [
      "; }": "}", " {": "{", "{ ": "{", "; ": ";", ": ": ":", ", ": ",",
      "}\n": "}", ";\n": ";", ",\n": ",",
    ]
    return Array(spaces.reduce(rules) { $0.replacing($1.key, with: $1.value) }.utf8)
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
