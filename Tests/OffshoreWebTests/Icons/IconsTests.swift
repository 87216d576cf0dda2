import Foundation
import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct IconsTests {
  /// Makes a folder with one icon and one file that is none, and removes it afterwards.
  private func withIcons(_ body: (Icons) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawing = #"<?xml version="1.0"?><svg viewBox="0 0 16 16"><path d="M0 0"/></svg>"#
    try Data(drawing.utf8).write(to: folder.appendingPathComponent("plus-lg.svg"))
    try Data("not a drawing".utf8).write(to: folder.appendingPathComponent("broken.svg"))
    try Data("secret".utf8).write(to: folder.appendingPathComponent("secret.txt"))
    try body(Icons(folder: folder.path))
  }

  @Test("An icon that is installed is drawn, in the colour of the text")
  func drawn() throws {
    try withIcons { icons in
      #expect(
        Icon("plus-lg", text: "+", in: icons).html.description
          == #"""
          <svg class="icon" aria-hidden="true">\#
          <use href="/assets/icons/plus-lg.svg#icon" width="100%" height="100%"></use></svg>
          """#)
      let response = try icons.response(for: "plus-lg.svg")
      #expect(response.headers["Content-Type"] == "image/svg+xml")
      #expect(response.text.contains(#"<svg id="icon" viewBox="0 0 16 16">"#))
    }
  }

  @Test("Where an icon is not installed there is a text")
  func absent() throws {
    let nowhere = Icons(folder: "/nowhere")
    let expected = #"<span class="icon-text" aria-hidden="true">+</span>"#
    #expect(Icon("plus-lg", text: "+", in: nowhere).html.description == expected)
    try withIcons { #expect(Icon("minus", text: "+", in: $0).html.description == expected) }
  }

  @Test(
    "Only drawings of the folder are served",
    arguments: [
      "secret.txt", "../plus-lg.svg", "plus-lg", ".svg", "", "broken.svg", "/etc/passwd",
      "..%2Fplus-lg.svg", "plus-lg.svg\0",
    ])
  func refused(file: String) throws {
    try withIcons { icons in
      #expect(throws: HTTPError.self) { try icons.response(for: file) }
    }
  }
}
