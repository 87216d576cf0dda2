public import OffshoreHTTP

/// A stylesheet or a script that is part of the program: those of all pages, and those of pages with
/// a calendar.
///
/// The address has a digest of the content, so that browsers cache the file permanently and still
/// load a new one. The file is served without comments and indentation, and rules also without
/// insignificant spaces, which are a quarter of the source.
struct WebAsset: Sendable {
  /// The stylesheet.
  static let look = WebAsset(
    "look", "css", type: "text/css",
    compactRules(
      PackageResources.look_css + PackageResources.rows_css + PackageResources.forms_css
        + PackageResources.parts_css + PackageResources.things_css + PackageResources.windows_css))
  /// The script.
  static let live = WebAsset(
    "live", "js", type: "text/javascript",
    withoutComments(
      PackageResources.patch_js + PackageResources.forms_js + PackageResources.kept_js
        + PackageResources.places_js + PackageResources.live_js))
  /// The rules for calendar tables, charts and colors.
  static let calendarRules = WebAsset(
    "calendar", "css", type: "text/css", compactRules(PackageResources.calendar_css))
  /// The script of calendar tables.
  static let calendarScript = WebAsset(
    "calendar", "js", type: "text/javascript", withoutComments(PackageResources.calendar_js))

  let fileName: String
  let file: StaticFile

  /// The address of the file.
  var address: String { "/assets/\(fileName)" }

  init(_ name: String, _ suffix: String, type: String, _ bytes: [UInt8]) {
    file = StaticFile(
      bytes, contentType: "\(type); charset=utf-8",
      cacheControl: "public, max-age=31536000, immutable")
    fileName = "\(name)-\(file.fingerprint).\(suffix)"
  }

  /// Removes indentation, lines that begin with `//`, and lines from one that begins with `/*` to
  /// one that ends with `*/`.
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

  /// Removes comments of whole lines, indentation, the spaces around braces, `>`, `~` and `/` and
  /// after `:`, `;` and `,`, and the line breaks after `}`, `;` and `,`.
  ///
  /// A text in the rules must not have such a space. The files of this package have none.
  static func compactRules(_ source: [UInt8]) -> [UInt8] {
    let rules = String(decoding: withoutComments(source), as: UTF8.self)
    let spaces: KeyValuePairs = [
      "; }": "}", " {": "{", "{ ": "{", "; ": ";", ": ": ":", ", ": ",", " > ": ">", "(> ": "(>",
      " ~ ": "~", " / ": "/",
      "}\n": "}", ";\n": ";", ",\n": ",",
    ]
    return Array(spaces.reduce(rules) { $0.replacing($1.key, with: $1.value) }.utf8)
  }

  /// Returns whether a path is the address of the stylesheet or the script of all pages.
  static func contains(path: String) -> Bool { [look, live].contains { $0.address == path } }

  /// Returns the file with a name.
  /// - Throws: `HTTPError` with 404 if it does not exist.
  static func file(named fileName: String) throws -> StaticFile {
    let assets = [look, live, calendarRules, calendarScript]
    guard let asset = assets.first(where: { $0.fileName == fileName }) else {
      throw HTTPError(.notFound)
    }
    return asset.file
  }
}

/// A stylesheet of some pages. It is applied after the stylesheet that all pages have.
///
/// ```swift
/// let sheet = Stylesheet("dock", PackageResources.dock_css)
/// router.addStylesheet(sheet)
/// var page = Page("Dock")
/// page.stylesheets = [sheet]
/// ```
///
/// `PackageResources` is the type that SwiftPM generates for resources with the rule
/// `.embedInCode`. The address of the stylesheet has a digest of the rules, so that browsers load
/// changed rules.
public struct Stylesheet: Sendable, Equatable {
  fileprivate let asset: WebAsset
  /// The address of the file; that of an app's stylesheet is below the app's path.
  let address: String
  /// The script of the elements to which the rules apply.
  let script: WebAsset?

  /// The stylesheet of pages with a ``Chart``, or with a calendar table or a color of the module
  /// `OffshorePages`, and the script of calendar tables.
  ///
  /// Each device serves it by `Router.addLivePages`, so it has no route of its own.
  public static let calendar = Stylesheet(
    .calendarRules, at: WebAsset.calendarRules.address, script: .calendarScript)

  private init(_ asset: WebAsset, at address: String, script: WebAsset?) {
    self.asset = asset
    self.address = address
    self.script = script
  }

  /// Creates a stylesheet.
  /// - Parameters:
  ///   - name: the beginning of the file's name, such as `dock`. It consists of lower-case letters;
  ///     this is not checked.
  ///   - rules: the rules in UTF-8. They are served without indentation, insignificant spaces, and
  ///     comments that begin a line. Such a comment may have several lines. It ends only at a line
  ///     whose last characters are `*/`. If anything follows `*/` in the line, such as a rule or a
  ///     space, the comment does not end there, and the lines below are removed, too. A comment after a rule in the same line is served. A quoted text must not
  ///     have a space beside punctuation, because it would be removed.
  public init(_ name: String, _ rules: [UInt8]) {
    let asset = WebAsset(name, "css", type: "text/css", WebAsset.compactRules(rules))
    self.init(asset, at: "/\(asset.fileName)", script: nil)
  }

  /// Returns whether both stylesheets have the same address, and so the same rules.
  public static func == (one: Stylesheet, other: Stylesheet) -> Bool {
    one.address == other.address
  }
}

extension Router {
  /// Adds the route of a stylesheet: `/`, its name, a hyphen, its digest, and `.css`.
  ///
  /// If the app is mounted, call this on the app's own router, and not on that of the device.
  /// `Router` is a type of the module `OffshoreHTTP`.
  /// - Precondition: The router does not have this route yet.
  public mutating func addStylesheet(_ sheet: Stylesheet) {
    get(sheet.asset.fileName) { sheet.asset.file.response(to: $0) }
  }
}
