import Foundation
import Testing

@testable import Offshore

struct URLCodecTests {
  private static let texts = [
    "https://example.com", "https://example.com/a%20b?q=1&r=%C3%A9#top", "file:///tmp/a.sqlite",
    "mailto:alma@example.com", "http://[::1]:8080/", "a/relative/path", "offshore://charter/7",
    "https://user:word@example.com:8443/x;y=z", "urn:isbn:0451450523",
  ]

  @Test(arguments: texts) func `A URL loads as it was stored`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(try CodecProbe<URLCodec>().loaded(url) == url)
    #expect(try CodecProbe<URLCodec>().stored(url) == "text '\(text)'")
  }

  @Test func `A relative URL is stored as an absolute one`() throws {
    let url = try #require(URL(string: "b?c", relativeTo: URL(string: "https://example.com/a/")))
    #expect(
      try CodecProbe<URLCodec>().loaded(url).absoluteString == "https://example.com/a/b?c")
  }

  @Test(arguments: [
    "", "a b", "https://exa mple.com", "http://[", "https://example.com/é", "<a>", "%zz",
  ]) func `A text that is not a URL is an error and is not repaired`(text: String) throws {
    #expect(
      try CodecProbe<URLCodec>().misfit("\(text)")
        == Misfit(expected: "a URL as text", found: "a text of \(text.utf8.count) bytes"))
  }

  @Test func `Bytes that are not UTF-8 are an error`() throws {
    #expect(try CodecProbe<URLCodec>().misfit("CAST(x'68ff' AS TEXT)") != nil)
  }

  @Test(arguments: ["1", "0.5", "NULL", "x'61'"]) func `A value other than a text is an error`(
    expression: String
  ) throws {
    #expect(try CodecProbe<URLCodec>().misfit(SQL(raw: expression)) != nil)
  }
}
