public import OffshoreHTTP

/// A stylesheet of some pages, which is applied after that of all pages.
///
/// ```swift
/// let sheet = Stylesheet("dock", PackageResources.dock_css)
/// router.addStylesheet(sheet)
/// var page = Page("Dock")
/// page.stylesheets = [sheet]
/// ```
///
/// Its address has a digest of the rules, like the addresses of all assets.
public struct Stylesheet: Sendable, Equatable {
  fileprivate let asset: WebAssets

  /// Creates a stylesheet.
  /// - Parameters:
  ///   - name: the first part of the file's name, of lowercase letters.
  ///   - rules: the rules in UTF-8. Comments of whole lines are not served.
  public init(_ name: String, _ rules: [UInt8]) {
    asset = WebAssets(name, "css", type: "text/css", WebAssets.compactRules(rules))
  }

  /// The address of the file, below the app's path.
  var address: String { "/\(asset.fileName)" }

  public static func == (one: Stylesheet, other: Stylesheet) -> Bool {
    one.address == other.address
  }
}

extension Router {
  /// Adds the route of a stylesheet.
  public mutating func addStylesheet(_ sheet: Stylesheet) {
    get(sheet.asset.fileName) { sheet.asset.file.response(to: $0) }
  }
}
