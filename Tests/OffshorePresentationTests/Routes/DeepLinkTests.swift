import Foundation
import Testing

@testable import OffshorePresentation

struct DeepLinkTests {
  private func link(_ text: String) throws -> DeepLink { try DeepLink(text, scheme: "anyfleet") }

  @Test(arguments: [
    ("anyfleet://charter?id=7", ["charter"], ["id": "7"]),
    ("ANYFLEET://charter/7", ["charter", "7"], [:]),
    ("anyfleet:/charter", ["charter"], [:]), ("anyfleet://", [], [:]), ("", [], [:]),
    ("/charter/7/", ["charter", "7"], [:]),
    ("charter?a=1&b=2", ["charter"], ["a": "1", "b": "2"]),
    ("https://example.org:8080/charter?id=7#top", ["charter"], ["id": "7"]),
    ("http://example.org", [], [:]), ("/a%2Fb/%D1%8F", ["a/b", "я"], [:]),
    ("/a//b", ["a", "b"], [:]), ("/a?q=x+y%2B&q=2", ["a"], ["q": "x y+"]),
    ("/a?b&=c&d=e=f", ["a"], ["b": "", "": "c", "d": "e=f"]), ("/a:b", ["a:b"], [:]),
    ("/a?u=http://b", ["a"], ["u": "http://b"]), ("/..", [".."], [:]),
  ]) func `An address is parsed into its parts`(
    _ text: String, _ path: [String], _ query: [String: String]
  ) throws {
    let link = try link(text)
    #expect(link.path == path)
    #expect(link.query == query)
  }

  @Test(arguments: [
    "other://charter", "javascript:alert(1)", "mailto:a@b", "http:charter", ":", "://x",
    "/%", "/%zz", "/%ff", "/a?b=%C3", "/a?%=1",
  ]) func `An address that is not the app's is unreadable`(_ text: String) {
    #expect(throws: ContentError.unreadable) { try link(text) }
  }

  @Test func `An address that is too long is unreadable`() throws {
    let longest = "/" + String(repeating: "a", count: DeepLink.maximumLength - 1)
    #expect(try link(longest).path.count == 1)
    #expect(throws: ContentError.unreadable) { try link(longest + "a") }
  }

  @Test func `A printed link has the necessary characters encoded`() {
    let link = DeepLink(["charter", "a/b я"], query: ["q": "x+y &=#", "a": ""])
    #expect(
      link.url(scheme: "anyfleet") == "anyfleet://charter/a%2Fb%20%D1%8F?a=&q=x%2By%20%26%3D%23")
    #expect(DeepLink([]).url(scheme: "anyfleet") == "anyfleet://")
    #expect(DeepLink([]).relative == "/")
  }

  // MARK: - Arbitrary input

  private static let pieces = [
    "anyfleet:", "//", "/", "?", "&", "=", "#", "%", "%2", "%2F", "%00", "%ff", "+", ":", "..",
    "я", "e\u{301}", "\u{301}", "🏴‍☠️", "\r\n", "\0", "\u{202e}", "charter", "id", "https:", " ",
  ]

  @Test(arguments: 0..<8)
  func `A parsed link prints as an address that parses the same, and nothing traps`(_ seed: UInt64)
  {
    var random = RandomSource(seed: seed)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...12, using: &random))
        .compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
      guard let link = try? link(text) else { continue }
      #expect((try? self.link(link.url(scheme: "anyfleet"))) == link, "\(text.debugDescription)")
      #expect((try? self.link(link.relative)) == link, "\(text.debugDescription)")
    }
  }

  @Test(arguments: 0..<8)
  func `A printed link is parsed as the same link`(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    func text() -> String {
      let scalars = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
      }
      return String(String.UnicodeScalarView(scalars))
    }
    for _ in 0..<1_000 {
      let query = (0..<Int.random(in: 0...3, using: &random)).map { _ in (text(), text()) }
      let printed = DeepLink(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in text() },
        query: Dictionary(query) { first, _ in first })
      #expect(try link(printed.url(scheme: "anyfleet")) == printed)
      #expect(try link(printed.relative) == printed)
    }
  }

  @Test func `Invalid UTF-8 does not trap`() {
    var random = RandomSource(seed: 1)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      _ = try? link("anyfleet:" + String(decoding: bytes, as: UTF8.self))
    }
  }
}
