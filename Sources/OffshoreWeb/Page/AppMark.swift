public import OffshoreHTTP
import OffshoreJSON

/// The mark of an app: a drawing on a coloured tile. It is the icon of the app in pages, in browser
/// tabs and on home screens.
public struct AppMark: Sendable, Equatable {
  /// The name of the app.
  let name: String
  private let colors: (top: String, bottom: String)
  private let path: String

  /// Creates a mark.
  ///
  /// - Parameters:
  ///   - name: the name of the app, for its icon on a home screen.
  ///   - colors: the colours of the tile at its top and at its bottom, such as `#0b6e99`.
  ///   - path: the drawing, as the data of an SVG path on a tile of 64 by 64
  ///     (<https://www.w3.org/TR/SVG2/paths.html#PathData>). The path is filled with white and has
  ///     no stroke, so a line has to be drawn by its outline.
  public init(name: String, colors: (top: String, bottom: String), path: String) {
    self.name = name
    self.colors = colors
    self.path = path
  }

  /// Returns whether both marks look the same and have the same name.
  public static func == (one: AppMark, other: AppMark) -> Bool {
    one.name == other.name && one.path == other.path && one.colors == other.colors
  }

  /// The address of the icon, below the app's path.
  static let iconAddress = "/icon.svg"
  /// The address of the manifest, below the app's path (<https://www.w3.org/TR/appmanifest/>).
  static let manifestAddress = "/app.webmanifest"
  /// The background colours of pages, which browsers also use for their own controls.
  static let paper = (light: "#f4f6f7", dark: "#0e151b")

  /// The icon as an SVG file.
  var icon: Response { file("image/svg+xml", svg) }

  /// The icon in a page, as a decoration.
  package var html: HTML { Raw(svg).html }

  private var svg: String {
    let tile = "tile-" + name.filter { $0.isASCII && $0.isLetter }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" class="mark" aria-hidden="true">\
      <defs><linearGradient id="\(tile)" x2="0" y2="1"><stop stop-color="\(colors.top)"/>\
      <stop offset="1" stop-color="\(colors.bottom)"/></linearGradient></defs>\
      <rect width="64" height="64" rx="15" fill="url(#\(tile))"/><path fill="#fff" d="\(path)"/></svg>
      """
  }

  /// Returns the manifest of the app.
  /// - Parameter base: the path at which the app is mounted.
  func manifest(below base: String) -> Response {
    let name = JSONEscapes.quoted(name)
    return file(
      "application/manifest+json",
      """
      {"name":\(name),"short_name":\(name),"start_url":"\(base)/","scope":"\(base)/",\
      "display":"standalone","background_color":"\(Self.paper.light)",\
      "theme_color":"\(Self.paper.light)","icons":[{"src":"\(base)\(Self.iconAddress)",\
      "sizes":"any","type":"image/svg+xml","purpose":"any"}]}
      """)
  }

  private func file(_ type: String, _ text: String) -> Response {
    Response(
      .ok, headers: ["Content-Type": type, "Cache-Control": "public, max-age=86400"],
      body: .bytes(Array(text.utf8)))
  }
}

extension Router {
  /// Adds the routes of a mark: the icon at `/icon.svg`, and the manifest at `/app.webmanifest`.
  ///
  /// If the app is mounted, call this on the app's own router, and not on that of the device.
  /// `Router` is a type of the module `OffshoreHTTP`.
  /// - Precondition: The router does not have these routes yet.
  public mutating func addMark(_ mark: AppMark) {
    get(String(AppMark.iconAddress.dropFirst())) { _ in mark.icon }
    get(String(AppMark.manifestAddress.dropFirst())) { mark.manifest(below: $0.base) }
  }
}
