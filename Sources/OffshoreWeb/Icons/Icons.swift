import Foundation
import OffshoreHTTP

/// Drawings in a folder of SVG files, such as those of Debian's package `bootstrap-icons`.
///
/// They are read when they are asked for. Where the folder is missing, pages show texts instead.
public struct Icons: Sendable {
  /// The icons that the system has installed.
  public static let system = Icons(folder: "/usr/share/bootstrap-icons/svg")

  private let folder: String
  private let names: Set<String>

  /// Takes the icons of a folder as it is now.
  public init(folder: String) {
    self.folder = folder
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    names = Set(files.filter { $0.hasSuffix(".svg") }.map { String($0.dropLast(4)) })
  }

  /// Whether there is an icon of a name, such as `check-lg`.
  public func contains(_ name: String) -> Bool { names.contains(name) }

  /// Where pages find the drawing of an icon.
  func address(of name: String) -> String { "/assets/icons/\(name).svg#icon" }

  /// The drawing in a file, with an id that pages refer to.
  /// - Throws: ``HTTPError`` with 404 where there is none.
  func response(for file: String) throws -> Response {
    // NB: The set of names is what keeps a path from leading out of the folder.
    guard file.hasSuffix(".svg"), contains(String(file.dropLast(4))),
      let drawing = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8),
      let start = drawing.firstRange(of: "<svg")
    else { throw HTTPError(.notFound) }
    let named = drawing.replacingCharacters(in: start, with: #"<svg id="icon""#)
    return Response(
      .ok, headers: ["Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=86400"],
      body: .bytes(Array(named.utf8)))
  }
}

/// An icon in the colour of the text around it, or a text where the icon is not installed.
///
/// It is an ornament that assistive technology passes by; what it means stands beside it, or is the
/// label of the button that it is on.
public struct Icon: Component {
  private let name: String
  private let text: String
  private let icons: Icons

  /// Refers to an icon.
  /// - Parameters:
  ///   - name: The name in the folder, such as `plus-lg`.
  ///   - text: What stands in its place where it is not installed, such as `+`.
  ///   - icons: Where it is looked for.
  public init(_ name: String, text: String, in icons: Icons = .system) {
    self.name = name
    self.text = text
    self.icons = icons
  }

  /// The drawing or the text.
  public var html: HTML {
    if icons.contains(name) {
      svg(.class("icon"), .ariaHidden()) {
        // Scales the drawing, which has a size of its own.
        use(.href(icons.address(of: name)), .width("100%"), .height("100%"))
      }
    } else {
      span(.class("icon-text"), .ariaHidden()) { text }
    }
  }
}
