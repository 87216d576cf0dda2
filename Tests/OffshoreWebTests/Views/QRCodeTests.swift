import Foundation
import Testing

@testable import OffshoreWeb

struct QRCodeTests {
  private let link = "anyfleet://join?code=" + String(repeating: "x", count: 43)

  /// The modules of a row from a column on.
  private func row(_ code: QRCode, _ row: Int, from column: Int, count: Int) -> [Bool] {
    (column..<column + count).map { code.modules[row * code.width + $0] }
  }

  @Test func `The code has the size of the smallest version that holds the text`() throws {
    // Version 5 has 37 modules a side and holds 84 bytes with the error correction M.
    let code = try QRCode(link, label: "")
    #expect(code.width == 37)
    #expect(code.modules.count == 37 * 37)
    #expect(try QRCode("a", label: "").width == 21)
  }

  @Test func `The finder patterns stand in three corners and not in the fourth`() throws {
    let code = try QRCode(link, label: "")
    let edge = Array(repeating: true, count: 7)
    for (line, column) in [(0, 0), (6, 0), (0, 30), (6, 30), (30, 0), (36, 0)] {
      #expect(row(code, line, from: column, count: 7) == edge, "\(line), \(column)")
    }
    #expect(
      row(code, 1, from: 0, count: 8) == [true, false, false, false, false, false, true, false])
    #expect(row(code, 36, from: 30, count: 7) != edge)
  }

  @Test func `The picture is one path with a margin of four modules and a text alternative`() throws
  {
    let markup = try QRCode(link, label: "Link “join”").html.description
    #expect(markup.contains(#"viewBox="0 0 45 45""#))
    #expect(markup.contains(#"aria-label="Link “join”""#))
    #expect(markup.contains(#"role="img""#))
    #expect(markup.contains(#"<path d="M4 4h7v1h-7z"#))
    #expect(markup.components(separatedBy: "<path").count == 2)
    #expect(!markup.contains("style"))
  }

  @Test func `A text that is empty or too long is refused with the remedy`() throws {
    #expect(throws: QRCode.Failure.self) { try QRCode("", label: "") }
    let longest = String(repeating: "a", count: QRCode.maximumLength)
    #expect(try QRCode(longest, label: "").width == 177)
    let failure = #expect(throws: QRCode.Failure.self) { try QRCode(longest + "é", label: "") }
    #expect(
      failure?.description == "A QR code holds 1 to 2331 bytes, not 2333. Shorten the text.")
  }
}
