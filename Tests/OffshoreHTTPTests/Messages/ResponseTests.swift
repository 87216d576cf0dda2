import Foundation
import TestSupport
import Testing

@testable import OffshoreHTTP

struct ResponseTests {
  @Test func `Sets the content type`() throws {
    #expect(Response.html("<p>ä").headers["content-type"] == "text/html; charset=utf-8")
    #expect(Response.html("<p>ä").text == "<p>ä")
    #expect(Response.text("ä", status: .conflict).status == .conflict)
    let json = try Response.json(["a": 1], status: .created)
    #expect(json.status == .created)
    #expect(json.text == #"{"a":1}"#)
    #expect(json.headers["Content-Type"] == "application/json")
    #expect(Response.redirect(to: "/a").status == .seeOther)
    #expect(Response.noContent.bytes.isEmpty)
    #expect(Response.events(EventChannel()).headers["Cache-Control"] == "no-store")
  }

  @Test func `Throws if a value has no JSON`() {
    #expect(throws: EncodingError.self) { try Response.json(Double.nan) }
  }

  @Test(arguments: [-1, 0, 100, 199, 600, Int.max])
  func `Treats an invalid status as an error`(number: Int) {
    #expect(Response.Status(rawValue: number) == .internalServerError)
  }

  @Test func `Writes a cookie with all its restrictions`() {
    var cookie = Cookie("token", "a b;\"\\,%é")
    cookie.maxAge = 0
    cookie.isSecure = true
    cookie.sameSite = .lax
    cookie.isHTTPOnly = false
    cookie.path = "/x"
    var response = Response.noContent
    response.setCookie(cookie)
    #expect(
      response.headers["Set-Cookie"]
        == "token=a%20b%3B%22%5C%2C%25%C3%A9; Path=/x; Max-Age=0; Secure; SameSite=Lax")
  }

  @Test func `A response holds its bytes in memory, but not those of a file or of events`() throws {
    let folder = try TemporaryFolder()
    try Data(count: 5_000).write(to: URL(filePath: folder.file("blob")))
    let file = try FileSlice(path: folder.file("blob"))
    let bytes = Response(.ok, body: .bytes([UInt8](repeating: 1, count: 300)))
    #expect(bytes.heldByteCount == 300 && bytes.byteCount == 300)
    #expect(Response.noContent.heldByteCount == 0)
    var whole = Response(.ok, body: .file(file))
    let part = Response(.ok, body: .file(file[1_000..<1_500]))
    #expect(whole.heldByteCount == 0 && whole.byteCount == 5_000)
    #expect(part.heldByteCount == 0 && part.byteCount == 500)
    // An attachment is a value to release, not a part of the content.
    whole.attachment = [UInt8](repeating: 1, count: 300)
    #expect(whole.heldByteCount == 0)
    let events = EventChannel()
    events.send(ServerSentEvent(data: "tide"))
    #expect(Response.events(events).heldByteCount == 0)
  }

  @Test func `Parses a cookie that it wrote`() throws {
    let value = "ü;,\" \\%41=\n\0"
    var response = Response.noContent
    response.setCookie(Cookie("a", value))
    let sent = try #require(response.headers["Set-Cookie"]?.split(separator: ";").first)
    #expect(Request(.get, "/", headers: ["Cookie": String(sent)]).cookies == ["a": value])
  }
}
