import Foundation
import TestSupport
import Testing

@testable import OffshoreHTTP

struct DownloadTests {
  private func disposition(_ name: String) throws -> String {
    let response = Response.download(.bytes([1]), named: name, type: "text/plain")
    return try #require(response.headers["Content-Disposition"])
  }

  /// Returns the name that a browser uses: the encoded one if there is one.
  private func storedName(_ name: String) throws -> String {
    let value = try disposition(name)
    guard let encoded = value.firstMatch(of: /filename\*=UTF-8''(\S+)$/)?.output.1 else {
      let plain = try #require(value.wholeMatch(of: /attachment; filename="([^"]*)"/))
      return String(plain.output.1)
    }
    return try #require(String(encoded).removingPercentEncoding)
  }

  @Test func `A download has its type, its name and its content`() {
    let response = Response.download(
      .bytes(Array("a,b".utf8)), named: "shifts.csv", type: "text/csv; charset=utf-8")
    #expect(response.status == .ok && response.text == "a,b")
    #expect(response.headers["Content-Type"] == "text/csv; charset=utf-8")
    #expect(response.headers["Content-Disposition"] == "attachment; filename=\"shifts.csv\"")
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    #expect(response.headers["Cache-Control"] == "no-store")
  }

  @Test func `A file is sent from the disk`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/backup.json"
    try Data("{}".utf8).write(to: URL(filePath: path))
    let response = Response.download(
      .file(try FileSlice(path: path)), named: "Backup.json", type: "application/json")
    guard case .file(let slice) = response.body else {
      Issue.record("It is in memory.")
      return
    }
    #expect(slice.count == 2 && response.text == "{}")
  }

  @Test func `A name with other characters than ASCII is also encoded`() throws {
    #expect(
      try disposition("Schichten März.ics")
        == "attachment; filename=\"Schichten M_rz.ics\"; filename*=UTF-8''Schichten%20M%C3%A4rz.ics"
    )
    #expect(try storedName("Смены 🙂.ics") == "Смены 🙂.ics")
    #expect(try disposition("50%20.txt").contains("filename=\"50_20.txt\""))
    #expect(try storedName("50%20.txt") == "50%20.txt")
  }

  @Test(arguments: [
    ("../../etc/passwd", "-..-etc-passwd"), ("C:\\x.txt", "C--x.txt"), (".hidden", "hidden"),
    ("a\"; filename=\"b.exe", "a-; filename=-b.exe"), ("name. . ", "name"), ("a*?.txt", "a--.txt"),
    ("line\r\nSet-Cookie: x=y", "lineSet-Cookie- x=y"), ("a\u{202E}txt.exe", "atxt.exe"),
    ("\u{2066}a\u{2028}b\u{0}.txt", "ab.txt"), ("  a  ", "a"),
  ])
  func `Characters that are not safe in a name are replaced or left out`(
    _ name: String, _ stored: String
  ) throws {
    #expect(try storedName(name) == stored)
  }

  @Test(arguments: ["", ".", "...", "\u{0}", " . ", "\r\n"])
  func `A name without characters is a word`(_ name: String) throws {
    #expect(try disposition(name) == "attachment; filename=\"file\"")
  }

  @Test func `A long name is shortened before its extension, between characters`() throws {
    let stored = try storedName(String(repeating: "ä", count: 300) + ".ics")
    #expect(stored == String(repeating: "ä", count: 98) + ".ics")
    let family = String(repeating: "👩‍👩‍👧", count: 100)
    for name in [family, family + ".json", "a." + family, String(repeating: ".a", count: 300)] {
      #expect(try storedName(name).utf8.count <= 200)
    }
  }

  @Test func `No name adds a field or ends the value`() throws {
    var generator = SeededRandom(seed: 7)
    let pieces = ["\"", "\\", "\r", "\n", ";", "%", "=", "'", "é", "🙂", "a", "\u{7F}", "\u{202E}"]
    for _ in 0..<500 {
      let name = (0..<8).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let value = try disposition(name)
      #expect(value.utf8.allSatisfy { 0x20..<0x7F ~= $0 })
      #expect(value.count(where: { $0 == "\"" }) == 2 && !value.contains("\\"))
    }
  }
}
