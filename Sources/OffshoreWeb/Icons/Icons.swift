import Foundation
import OffshoreHTTP

/// Drawings by their names, such as those of Debian's package `bootstrap-icons`.
///
/// Pages refer to drawings, which are read when a browser asks for them. An icon without a drawing is shown
/// as a text.
public struct Icons: Sendable {
  /// The icons that the system has installed.
  public static let system = Icons(folder: "/usr/share/bootstrap-icons/svg")

  private let names: Set<String>
  /// Reads the drawing of one of the names.
  private let drawing: @Sendable (String) -> String?

  /// Makes icons of the SVG files that a folder has now.
  public init(folder: String) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    names = Set(files.filter { $0.hasSuffix(".svg") }.map { String($0.dropLast(4)) })
    drawing = { try? String(contentsOfFile: "\(folder)/\($0).svg", encoding: .utf8) }
  }

  /// Makes icons of drawings in SVG by their names, so that pages do not depend on the system.
  package init(_ drawings: [String: String]) {
    names = Set(drawings.keys)
    drawing = { drawings[$0] }
  }

  /// Whether there is an icon of a name, such as `check-lg`.
  public func contains(_ name: String) -> Bool { names.contains(name) }

  /// Where pages find the drawing of an icon.
  func address(of name: String) -> String { "/assets/icons/\(name).svg#icon" }

  /// The drawing in a file, with an id that pages refer to.
  /// - Throws: ``HTTPError`` with 404 if there is none.
  func response(for file: String) throws -> Response {
    let name = String(file.dropLast(4))
    // NB: The set of names is what keeps a path from leading out of the folder.
    guard file.hasSuffix(".svg"), contains(name), let drawing = drawing(name),
      let start = drawing.firstRange(of: "<svg")
    else { throw HTTPError(.notFound) }
    let named = drawing.replacingCharacters(in: start, with: #"<svg id="icon""#)
    return Response(
      .ok, headers: ["Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=86400"],
      body: .bytes(Array(named.utf8)))
  }

  /// The markup of an icon: a reference to its drawing, or the text if there is none.
  func markup(of name: String, insteadOf text: String) -> HTML {
    guard contains(name) else { return span(.class("icon-text"), .ariaHidden()) { text } }
    return svg(.class("icon"), .ariaHidden()) {
      // Scales the drawing, which has a size of its own.
      use(.href(address(of: name)), .width("100%"), .height("100%"))
    }
  }

  /// The markup of an icon with its drawing, or the text if there is none.
  ///
  /// A browser completes no page that refers to other drawings while it does not draw the page, as that of a
  /// frame out of sight.
  func drawn(_ name: String, insteadOf text: String) -> HTML {
    guard contains(name), let drawing = drawing(name), let shapes = Self.shapes(of: drawing) else {
      return markup(of: name, insteadOf: text)
    }
    return Raw(
      #"<svg class="icon" aria-hidden="true" viewBox="0 0 16 16">\#(shapes)</svg>"#
    ).html
  }

  /// The markup within the root of a drawing of 16 by 16.
  private static func shapes(of drawing: String) -> Substring? {
    guard drawing.contains(#"viewBox="0 0 16 16""#), let start = drawing.firstRange(of: "<svg"),
      let open = drawing[start.upperBound...].firstIndex(of: ">"),
      let end = drawing[open...].firstRange(of: "</svg>")
    else { return nil }
    return drawing[drawing.index(after: open)..<end.lowerBound]
  }
}

/// An icon in the colour of the text around it, or a text if it is not among the ``Icons`` of the page.
///
/// It is an ornament that assistive technology passes by; what it means stands beside it, or is the
/// label of the button that it is on.
public struct Icon: Component, Sendable {
  /// The place of the drawing or the text, either of which is chosen when the page is written.
  public let html: HTML

  /// Refers to an icon.
  /// - Parameters:
  ///   - name: The name of the drawing, such as `plus-lg`.
  ///   - text: The text in its place if there is no such drawing, such as `+`.
  public init(_ name: String, text: String) {
    html = HTML(nodes: [.icon(name, text: text)])
  }
}
