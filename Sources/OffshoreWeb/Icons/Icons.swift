import Foundation
import OffshoreHTTP

/// Drawings by their names, such as those of Debian's package `bootstrap-icons`.
///
/// Pages refer to drawings, which are read when a browser requests them. An icon without a drawing
/// is shown as text.
package struct Icons: Sendable {
  /// The icons that are installed in the system.
  package static let system = Icons(folder: "/usr/share/bootstrap-icons/svg")

  private let names: Set<String>
  /// The closure that reads the drawing with one of the names.
  private let drawing: @Sendable (String) -> String?

  /// Creates icons from the SVG files that are in a folder now.
  init(folder: String) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    names = Set(files.filter { $0.hasSuffix(".svg") }.map { String($0.dropLast(4)) })
    drawing = { try? String(contentsOfFile: "\(folder)/\($0).svg", encoding: .utf8) }
  }

  /// Creates icons from SVG drawings by their names, so that pages do not depend on the system.
  package init(_ drawings: [String: String]) {
    names = Set(drawings.keys)
    drawing = { drawings[$0] }
  }

  /// Returns whether there is an icon with a name, such as `check-lg`.
  package func contains(_ name: String) -> Bool { names.contains(name) }

  /// Returns the address of an icon's drawing.
  func address(of name: String) -> String { "/assets/icons/\(name).svg#icon" }

  /// Returns the drawing in a file, with an id that pages refer to.
  /// - Throws: `HTTPError` with 404 if it does not exist.
  func response(for file: String) throws -> Response {
    let name = String(file.dropLast(4))
    // NB: The check against the set of names prevents paths that lead out of the folder.
    guard file.hasSuffix(".svg"), contains(name), let drawing = drawing(name),
      let start = drawing.firstRange(of: "<svg")
    else { throw HTTPError(.notFound) }
    let named = drawing.replacingCharacters(in: start, with: #"<svg id="icon""#)
    return Response(
      .ok, headers: ["Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=86400"],
      body: .bytes(Array(named.utf8)))
  }

  /// Returns the markup of an icon: a reference to its drawing, or the text if there is no drawing.
  func markup(of name: String, insteadOf text: String) -> HTML {
    guard contains(name) else { return span(.class("icon-text"), .ariaHidden()) { text } }
    return svg(.class("icon"), .ariaHidden()) {
      // Scales the drawing, which has a fixed size.
      use(.href(address(of: name)), .width("100%"), .height("100%"))
    }
  }

  /// Returns the markup of an icon with its drawing, or the text if there is no drawing.
  ///
  /// A browser does not finish loading a page that refers to drawings while the page is not
  /// visible, as in a frame out of view.
  func inlineMarkup(of name: String, insteadOf text: String) -> HTML {
    guard contains(name), let drawing = drawing(name), let shapes = Self.shapes(of: drawing) else {
      return markup(of: name, insteadOf: text)
    }
    return Raw(
      #"<svg class="icon" aria-hidden="true" viewBox="0 0 16 16">\#(shapes)</svg>"#
    ).html
  }

  /// Returns the markup within the root element of a drawing of 16 by 16.
  private static func shapes(of drawing: String) -> Substring? {
    guard drawing.contains(#"viewBox="0 0 16 16""#), let start = drawing.firstRange(of: "<svg"),
      let open = drawing[start.upperBound...].firstIndex(of: ">"),
      let end = drawing[open...].firstRange(of: "</svg>")
    else { return nil }
    return drawing[drawing.index(after: open)..<end.lowerBound]
  }
}

/// An icon in the colour of the surrounding text, or a text if its drawing is not installed.
///
/// The drawings are those of Debian's package `bootstrap-icons`: the SVG files in the folder
/// `/usr/share/bootstrap-icons/svg`. A program lists the folder once, before it writes its first
/// page. If you install drawings later, start the program again.
///
/// It is a decoration that assistive technology ignores. Its meaning has to be beside it, or in the
/// label of its button.
public struct Icon: Component, Sendable {
  /// A placeholder for the icon. When the markup is written, the drawing replaces it, or the text
  /// if the drawing is not installed.
  public let html: HTML

  /// Creates an icon.
  /// - Parameters:
  ///   - name: the name of the drawing, such as `plus-lg` for the file `plus-lg.svg`.
  ///   - text: the text if there is no such drawing, such as `+`.
  public init(_ name: String, text: String) {
    html = HTML(nodes: [.icon(name, text: text)])
  }
}
