import Foundation
import Testing

@testable import Offshore

struct URLCodecTests {
  private static let texts = [
    "https://example.com", "https://example.com/a%20b?q=1&r=%C3%A9#top", "file:///tmp/a.sqlite",
    "mailto:alma@example.com", "http://[::1]:8080/", "a/relative/path", "offshore://charter/7",
    "https://user:word@example.com:8443/x;y=z", "urn:isbn:0451450523",
  ]

  @Test("A URL loads as it was stored", arguments: texts)
  func roundTrip(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(try CodecProbe<URLCodec>().loaded(url) == url)
    #expect(try CodecProbe<URLCodec>().stored(url) == "text '\(text)'")
  }

  @Test("A URL relative to another is stored whole")
  func relative() throws {
    let url = try #require(URL(string: "b?c", relativeTo: URL(string: "https://example.com/a/")))
    #expect(
      try CodecProbe<URLCodec>().loaded(url).absoluteString == "https://example.com/a/b?c")
  }

  @Test(
    "A text that is no URL is an error, never made into one",
    arguments: [
      "", "a b", "https://exa mple.com", "http://[", "https://example.com/é", "<a>", "%zz",
    ])
  func malformed(text: String) throws {
    #expect(
      try CodecProbe<URLCodec>().misfit("\(text)")
        == Misfit(expected: "a URL as text", found: "a text of \(text.utf8.count) bytes"))
  }

  @Test("Bytes that are not UTF-8 are an error")
  func invalidUTF8() throws {
    #expect(try CodecProbe<URLCodec>().misfit("CAST(x'68ff' AS TEXT)") != nil)
  }

  @Test("What is no text is an error", arguments: ["1", "0.5", "NULL", "x'61'"])
  func otherClasses(expression: String) throws {
    #expect(try CodecProbe<URLCodec>().misfit(SQL(raw: expression)) != nil)
  }
}
