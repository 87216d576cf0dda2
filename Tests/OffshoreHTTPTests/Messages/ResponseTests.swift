import Foundation
import OffshoreHTTP
import Testing

struct ResponseTests {
  @Test("states the type of its content")
  func contents() throws {
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

  @Test("throws where a value has no JSON")
  func notJSON() {
    #expect(throws: EncodingError.self) { try Response.json(Double.nan) }
  }

  @Test("counts a status that is none as a failure", arguments: [-1, 0, 100, 199, 600, Int.max])
  func status(number: Int) {
    #expect(Response.Status(rawValue: number) == .internalServerError)
  }

  @Test("writes a cookie with all that restricts it")
  func cookie() {
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

  @Test("gives a cookie back as it was set")
  func cookieRoundTrip() throws {
    let value = "ü;,\" \\%41=\n\0"
    var response = Response.noContent
    response.setCookie(Cookie("a", value))
    let sent = try #require(response.headers["Set-Cookie"]?.split(separator: ";").first)
    #expect(Request(.get, "/", headers: ["Cookie": String(sent)]).cookies == ["a": value])
  }
}
