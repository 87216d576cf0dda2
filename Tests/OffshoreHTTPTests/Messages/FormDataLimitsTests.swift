import OffshoreHTTP
import Testing

/// The forms that are refused, and the largest ones that are not.
struct FormDataLimitsTests {
  private static func refusal(
    _ request: Request, _ limits: FormData.Limits = FormData.Limits()
  ) -> HTTPError? {
    let error = #expect(throws: HTTPError.self) { try request.formData(limits: limits) }
    return error
  }

  private static func request(head: String) -> Request { .multipart(parts: "\(head)\n\nx") }

  private static let text = FormDataTests.text("a", "1")
  private static let disposition = "Content-Disposition: form-data; name=\"a\""

  // MARK: - Boundaries

  @Test(arguments: [
    "multipart/form-data; boundary=b", "Multipart/Form-Data;BOUNDARY=\"b\"",
    "multipart/form-data ; charset=\"a;b\" ; boundary= b ;; ", "multipart/form-data; boundary=b;",
  ])
  func `Finds the boundary among the parameters of the content type`(type: String) throws {
    let form = try Request.multipart("--b\n\(Self.text)\n--b--\n", type: type).formData()
    #expect(form.fields == ["a": "1"])
  }

  @Test func `A boundary has up to 70 characters, and its case counts`() throws {
    let longest = "'()+_,-./:=? Bb" + String(repeating: "0", count: 55)
    let lines = "--\(longest)\n\(Self.text)\n--\(longest)--\n"
    let type = "multipart/form-data; boundary=\"\(longest)\""
    #expect(longest.count == 70)
    #expect(try Request.multipart(lines, type: type).formData().fields == ["a": "1"])
    let other = Self.refusal(.multipart(lines, type: type.replacing("Bb", with: "bb")))
    #expect(other?.message.contains("last boundary") == true)
  }

  @Test(arguments: [
    "", ";", "; boundary", "; boundary=", "; boundary=\"\"", "; boundary=\"b", "; boundary=\"b\"b",
    "; boundary=\"b \"", "; boundary=b; boundary=b", "; boundary=ü", "; boundary=b*", "; =b",
    "; boundary=" + String(repeating: "b", count: 71),
  ])
  func `Refuses a content type without a valid boundary`(parameters: String) {
    let request = Request.multipart("--b--\n", type: "multipart/form-data\(parameters)")
    let error = Self.refusal(request)
    #expect(error?.status == .badRequest)
    #expect(error?.message.contains("needs a boundary of 1 to 70 characters") == true)
  }

  @Test(arguments: ["--bx\n", "--b\u{B}\n", "--b--x", "--b-\n", "--b\n\(text)\n--bb--\n"])
  func `Refuses other text in a line with the boundary`(lines: String) {
    let error = Self.refusal(.multipart(lines))
    #expect(error?.status == .badRequest)
    #expect(error?.message.hasPrefix("A line with the boundary has other text.") == true)
  }

  @Test func `Refuses lines that end with LF alone`() {
    let lines = "--b\n\(Self.text)\n--b--\n"
    #expect(Self.refusal(.form(lines, type: Self.type))?.message.contains("CR LF") == true)
    let head = lines.replacing("\n", with: "\r\n").replacing("\"a\"\r\n", with: "\"a\"\nX: y\r\n")
    #expect(Self.refusal(.form(head, type: Self.type))?.message.contains("CR LF") == true)
    let bare = lines.replacing("\n", with: "\r\n").replacing("\"a\"\r\n", with: "\"a\"\rX: y\r\n")
    #expect(Self.refusal(.form(bare, type: Self.type))?.message.contains("CR LF") == true)
  }

  private static let type = "multipart/form-data; boundary=b"

  // MARK: - Heads

  @Test(arguments: [
    "X: y", "Content-Type: text/plain", "Content-Disposition: form-data",
    "Content-Disposition: attachment; name=\"a\"", "Content-Disposition: form-data; filename=\"a\"",
    "Content-Disposition: form-data; name=\"a\"; name=\"b\"",
    "Content-Disposition: form-data; name=\"a", "Content-Disposition: form-data; name=\"a\\\"b\"",
    "Content-Disposition: form-data; name", "\(disposition)\n\(disposition)",
  ])
  func `Refuses a part without a single name`(head: String) {
    let error = Self.refusal(Self.request(head: head))
    #expect(error?.status == .badRequest)
    #expect(error?.message.hasPrefix("A part has no name.") == true)
  }

  @Test(arguments: [
    "", "Content-Disposition", "Content-Disposition : form-data; name=\"a\"",
    "Content-Disposition: form-data;\n name=\"a\"", "\(disposition)\n: x", "\(disposition)\n--b: x",
    "\(disposition)\nX\u{0}: y",
  ])
  func `Refuses a malformed header field`(head: String) {
    let error = Self.refusal(Self.request(head: head))
    #expect(error?.status == .badRequest)
    #expect(error?.message.hasPrefix("A header field of a part is malformed.") == true)
  }

  @Test func `Refuses encoded names and contents, and accepts that a content is not encoded`()
    throws
  {
    let named = Self.request(head: "\(Self.disposition); filename=x; filename*=UTF-8''y")
    #expect(Self.refusal(named)?.message.contains("Send it as filename") == true)
    for encoding in ["base64", "quoted-printable", ""] {
      let head = "\(Self.disposition)\nContent-Transfer-Encoding: \(encoding)"
      let error = Self.refusal(Self.request(head: head))
      #expect(error?.message.contains("Send its bytes as they are.") == true, "\(encoding)")
    }
    for encoding in ["binary", "8BIT", "7bit"] {
      let head = "\(Self.disposition)\nContent-Transfer-Encoding: \(encoding)"
      #expect(try Self.request(head: head).formData().fields == ["a": "x"])
    }
  }

  @Test func `Refuses parts within a part, and accepts a file of such a type`() throws {
    let mixed = "\nContent-Type: multipart/mixed; boundary=c"
    let error = Self.refusal(Self.request(head: Self.disposition + mixed))
    #expect(error?.status == .badRequest)
    #expect(error?.message.hasPrefix("A part consists of parts.") == true)
    let page = try Self.request(head: "\(Self.disposition); filename=page.mht\(mixed)").formData()
    #expect(page.files.map(\.mediaType) == ["multipart/mixed"])
  }

  @Test func `The head of a part has up to 4,096 bytes`() throws {
    let count = 4_096 - "Content-Disposition: form-data; name=\"\"".utf8.count
    func request(_ count: Int) -> Request {
      .multipart(parts: FormDataTests.text(String(repeating: "n", count: count), "x"))
    }
    #expect(try request(count).formData().fields.items.map(\.name.count) == [count])
    let error = Self.refusal(request(count + 1))
    #expect(error?.status == .contentTooLarge)
    #expect(error?.message.contains("4096 bytes") == true)
  }

  // MARK: - Numbers and sizes

  @Test func `Limits the number and the size of texts`() throws {
    var limits = FormData.Limits()
    (limits.maximumFields, limits.maximumFieldSize) = (2, 3)
    let text = FormDataTests.text("a", "123")
    #expect(
      try Request.multipart(parts: text, text).formData(limits: limits).fields.all("a")
        == ["123", "123"])
    let many = Self.refusal(.multipart(parts: text, text, text), limits)
    #expect(many?.status == .contentTooLarge)
    #expect(many?.message == "The form has more than 2 fields. Send fewer.")
    let long = Self.refusal(.multipart(parts: FormDataTests.text("a", "1234")), limits)
    #expect(long?.status == .contentTooLarge && long?.message.contains("3 bytes") == true)
    #expect(Self.refusal(.form("a=1&b=2&c=3"), limits)?.status == .contentTooLarge)
  }

  @Test func `Limits the number and the size of files`() throws {
    var limits = FormData.Limits()
    (limits.maximumFiles, limits.maximumFileSize) = (2, 3)
    let file = FormDataTests.file("f", "x.txt", "123")
    #expect(try Request.multipart(parts: file, file).formData(limits: limits).files.count == 2)
    let many = Self.refusal(.multipart(parts: file, file, file), limits)
    #expect(many?.status == .contentTooLarge)
    #expect(many?.message == "The form has more than 2 files. Choose fewer.")
    let none = FormDataTests.file("f", "", "")
    #expect(Self.refusal(.multipart(parts: none, none, none), limits)?.message == many?.message)
    let large = Self.refusal(.multipart(parts: FormDataTests.file("f", "a/x.txt", "1234")), limits)
    #expect(large?.status == .contentTooLarge)
    #expect(large?.message == "“x.txt” has more than 3 bytes. Choose a smaller file.")
  }
}
