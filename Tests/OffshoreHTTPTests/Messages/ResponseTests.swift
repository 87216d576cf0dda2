import Foundation
import OffshoreHTTP
import Testing

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

  @Test func `Parses a cookie that it wrote`() throws {
    let value = "ü;,\" \\%41=\n\0"
    var response = Response.noContent
    response.setCookie(Cookie("a", value))
    let sent = try #require(response.headers["Set-Cookie"]?.split(separator: ";").first)
    #expect(Request(.get, "/", headers: ["Cookie": String(sent)]).cookies == ["a": value])
  }
}
