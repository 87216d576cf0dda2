import OffshoreHTTP
import Testing

struct RequestTests {
  @Test func `The target is the path with its query, if it has one`() {
    #expect(Request(.get, "/charters?sort=name").target == "/charters?sort=name")
    #expect(Request(.get, "/charters").target == "/charters")
  }

  @Test func `Splits the path at slashes, decodes each component, and ignores a last slash`() {
    let request = Request(.get, "/charters/Lef%6Bas%20%C3%A9/a%2Fb/")
    #expect(request.components == ["charters", "Lefkas é", "a/b"])
    #expect(Request(.get, "/").components == [])
    #expect(Request(.get, "/a//b").components == ["a", "", "b"])
  }

  @Test(arguments: ["", "a", "/%", "/%4", "/%zz", "/a%00b", "/%ff", "/%C3", "/%C0%80", "*"])
  func `Has no components if the path is malformed`(path: String) {
    #expect(Request(.get, path).components == nil)
  }

  @Test func `Splits path and query at the first question mark`() {
    let request = Request(.get, "/a?q=1+2%263&&flag&q=%3F?&=x")
    #expect(request.path == "/a")
    #expect(request.query["q"] == "1 2&3")
    #expect(request.query.all("q") == ["1 2&3", "??"])
    #expect(request.query["flag"] == "")
    #expect(request.query[""] == "x")
    #expect(request.query["missing"] == nil)
  }

  @Test func `Parses a form regardless of the case and the parameters of its content type`() throws
  {
    let form = try Request.form(
      "name=S%C3%A9n%C3%A9%0D%0Ax&berths=8",
      type: "Application/X-WWW-Form-Urlencoded; charset=UTF-8"
    ).form
    #expect(form == ["name": "Séné\r\nx", "berths": "8"])
  }

  @Test func `Preserves malformed escapes in a form and replaces invalid UTF-8`() throws {
    let form = try Request.form("a=100%&b=%4&c=%zz&d=%ff&e=%00&%=%25").form
    #expect(
      form.items.map(\.value) == ["100%", "%4", "%zz", "\u{FFFD}", "\u{0}", "%"])
    #expect(form.items.last?.name == "%")
  }

  @Test func `Accepts an empty body without a content type as an empty form`() throws {
    #expect(try Request(.post, "/").form.items.isEmpty)
  }

  @Test func `Refuses a form of another type with 415`() {
    #expect(throws: HTTPError(.unsupportedMediaType, Self.typeMessage)) {
      try Request.form("a=1", type: "multipart/form-data; boundary=x").form
    }
    #expect(throws: HTTPError(.unsupportedMediaType, Self.typeMessage)) {
      try Request(.post, "/", body: [1]).form
    }
  }

  @Test func `Refuses a form of more than a thousand fields with 413`() throws {
    let thousand = Array(repeating: "a=1", count: 1_000).joined(separator: "&")
    #expect(try Request.form(thousand).form.items.count == 1_000)
    let error = #expect(throws: HTTPError.self) { try Request.form(thousand + "&b=2").form }
    #expect(error?.status == .contentTooLarge)
    #expect(Request(.get, "/?" + thousand + "&b=2").query.items.count == 1_000)
  }

  @Test func `Accepts more fields if the caller allows them, up to that limit`() throws {
    let many = Array(repeating: "a=1", count: 1_200).joined(separator: "&")
    #expect(try Request.form(many).form(maximumCount: 1_200).items.count == 1_200)
    let error = #expect(throws: HTTPError.self) {
      try Request.form(many).form(maximumCount: 1_199)
    }
    #expect(error?.status == .contentTooLarge)
  }

  @Test func `Encodes fields so that they decode to the same`() throws {
    let fields: Fields = ["a b": "ü&=+%\r\n\u{0}", "": "", "x": "-._*~"]
    #expect(try Request.form(fields.encoded).form == fields)
    #expect(!fields.encoded.contains(" "))
  }

  @Test func `Finds a cookie among others, and returns the first of its name`() {
    let request = Request(
      .get, "/", headers: ["Cookie": "a=1; b=x=y ;; c ;=z; a=2;d=", "cookie": "e=%41%3B%"])
    #expect(request.cookies == ["a": "1", "b": "x=y", "d": "", "e": "A;%"])
  }

  private static let typeMessage = "Send the form as application/x-www-form-urlencoded."
}

extension Request {
  /// Creates a request that posts a form.
  static func form(
    _ body: String, type: String = "application/x-www-form-urlencoded"
  ) -> Request {
    Request(.post, "/", headers: ["Content-Type": type], body: Array(body.utf8))
  }
}
