import OffshoreHTTP
import Testing

struct FormDataTests {
  @Test func `Parses a form of Chromium with its texts and a file`() throws {
    let form = try Request.multipart(
      """
      ------WebKitFormBoundary7MA4YWxkTrZu0gWq
      Content-Disposition: form-data; name="title"

      Kornati, day 1
      ------WebKitFormBoundary7MA4YWxkTrZu0gWq
      Content-Disposition: form-data; name="photo"; filename="Telašćica %231.png"
      Content-Type: image/png

      \u{89}PNG
      \u{1A}
      ------WebKitFormBoundary7MA4YWxkTrZu0gWq
      Content-Disposition: form-data; name="action"

      add
      ------WebKitFormBoundary7MA4YWxkTrZu0gWq--

      """, type: "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gWq"
    ).formData()
    #expect(form.fields == ["title": "Kornati, day 1", "action": "add"])
    let photo = try #require(form.files.first)
    #expect(form.files.count == 1 && photo.name == "photo" && photo.mediaType == "image/png")
    #expect(photo.fileName == "Telašćica %231.png")
    #expect(Array(photo.bytes) == Array("\u{89}PNG\r\n\u{1A}".utf8))
  }

  @Test func `Parses a form of Firefox with several files of a field and one without a file`()
    throws
  {
    let form = try Request.multipart(
      """
      -----------------------------293582696224464183201234567890
      Content-Disposition: form-data; name="note"

      two
      lines
      -----------------------------293582696224464183201234567890
      Content-Disposition: form-data; name="photos"; filename="a.txt"
      Content-Type: text/plain

      first
      -----------------------------293582696224464183201234567890
      Content-Disposition: form-data; name="photos"; filename="b.txt"
      Content-Type: text/plain

      second
      -----------------------------293582696224464183201234567890
      Content-Disposition: form-data; name="chart"; filename=""
      Content-Type: application/octet-stream


      -----------------------------293582696224464183201234567890--

      """, type: "multipart/form-data; boundary=" + Self.firefoxBoundary
    ).formData()
    #expect(form.fields == ["note": "two\r\nlines"])
    #expect(form.files.map(\.fileName) == ["a.txt", "b.txt"])
    let contents = form.files("photos").map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(contents == ["first", "second"])
    #expect(form.files("chart").isEmpty && form.files("note").isEmpty)
  }

  @Test func `Parses a form without files as one with files`() throws {
    let form = try Request.form("a=1&a=2&b=%C3%BC").formData()
    #expect(form.fields.all("a") == ["1", "2"] && form.fields["b"] == "ü" && form.files.isEmpty)
    #expect(try Request(.post, "/").formData().fields.items.isEmpty)
    let error = #expect(throws: HTTPError.self) {
      try Request.form("{}", type: "application/json").formData()
    }
    #expect(error?.status == .unsupportedMediaType)
  }

  @Test func `Retains the order of texts and all texts of a name`() throws {
    let form = try Request.multipart(
      parts: Self.text("b", "1"), Self.text("a", ""), Self.text("b", "2")
    ).formData()
    #expect(form.fields.items.map(\.name) == ["b", "a", "b"])
    #expect(form.fields.all("b") == ["1", "2"] && form.fields["a"] == "")
  }

  @Test func `Decodes the escapes of browsers in names, and no others`() throws {
    let form = try Request.multipart(
      parts: Self.text("a %22b%22%0D%0A%20+\\c;d", "1"),
      "Content-Disposition: form-data; name=\"f\"; filename=\"say %22hi%22 100%25.txt\"\n\nx"
    ).formData()
    #expect(form.fields.items.map(\.name) == ["a \"b\"\r\n%20+\\c;d"])
    #expect(form.files.map(\.fileName) == ["say \"hi\" 100%25.txt"])
  }

  @Test func `Accepts names without quotation marks, and header fields in any case`() throws {
    let form = try Request.multipart(
      parts: "content-disposition:Form-Data;Name=a ; size=1;\nX-Other: y\n\n1",
      "CONTENT-TYPE: Text/CSV; charset=x\nContent-Disposition: form-data; name=f; filename=t\n\n2"
    ).formData()
    #expect(form.fields == ["a": "1"])
    #expect(form.files.map(\.name) == ["f"] && form.files.map(\.mediaType) == ["text/csv"])
  }

  @Test func `An empty file with a name is a file, and its type may be missing`() throws {
    let form = try Request.multipart(
      parts: Self.file("f", "empty.txt", ""), "Content-Type: \n" + Self.file("f", "x", "")
    ).formData()
    #expect(form.files.map(\.fileName) == ["empty.txt", "x"])
    #expect(form.files.allSatisfy { $0.bytes.isEmpty })
    #expect(form.files.allSatisfy { $0.mediaType == "application/octet-stream" })
  }

  @Test func `Replaces invalid UTF-8 in a text, and retains every byte of a file`() throws {
    let every: [UInt8] = (0...UInt8.max).map(\.self) + Array("\r\n--\r\n--c\r\n\r\n--".utf8)
    var body = Array("--b\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\n".utf8)
    body += [0x61, 0xFF]
    body += Array("\r\n--b\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n".utf8)
    body += every + Array("\r\n--b--".utf8)
    var request = Request.multipart("")
    request.body = body
    let form = try request.formData()
    #expect(form.fields == ["t": "a\u{FFFD}"])
    #expect(form.files.map { Array($0.bytes) } == [every])
  }

  @Test func `A file shares the memory of the body`() throws {
    let request = Request.multipart(parts: Self.file("f", "x", "content"))
    let bytes = try #require(try request.formData().files.first).bytes
    let body = request.body.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
    let file = bytes.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
    #expect(file == body.map { $0 + UInt(bytes.startIndex) })
  }

  @Test func `Ignores text before and after the parts, and spaces after a boundary`() throws {
    let form = try Request.multipart(
      "before\n--b \t\n\(Self.text("a", "1"))\n--b-- \nafter\n--b\nrest"
    ).formData()
    #expect(form.fields == ["a": "1"])
    #expect(try Request.multipart("--b--\n").formData().fields.items.isEmpty)
  }

  @Test func `A part without content may end with its head`() throws {
    let form = try Request.multipart(
      "--b\nContent-Disposition: form-data; name=\"a\"\n\n--b\n\(Self.text("c", "1"))\n--b--\n"
    ).formData()
    #expect(form.fields == ["a": "", "c": "1"])
  }

  @Test(arguments: [
    (#"C:\Users\ann\chart.png"#, "chart.png"), ("../../etc/passwd", "passwd"), ("a/b/", "file"),
    ("..", "file"), (" . ", "file"), ("\u{0}\u{7F}", "file"), ("bell\u{7}\u{85}.txt", "bell.txt"),
    ("gpj\u{202E}exe\u{2028}", "gpjexe"), ("na\u{308}if – 日本.pdf", "na\u{308}if – 日本.pdf"),
    (".profile", ".profile"), ("a%0D%0Ab/%22", "\""),
  ])
  func `A file has the last component of its name, without control characters`(
    claimed: String, expected: String
  ) throws {
    let form = try Request.multipart(parts: Self.file("f", claimed, "x")).formData()
    #expect(form.files.map(\.fileName) == [expected])
  }

  @Test(arguments: [
    (String(repeating: "ß", count: 200) + ".jpeg", String(repeating: "ß", count: 125) + ".jpeg"),
    ("x" + String(repeating: "ß", count: 200), "x" + String(repeating: "ß", count: 127)),
    ("a." + String(repeating: "b", count: 300), "a." + String(repeating: "b", count: 253)),
    ("e" + String(repeating: "\u{301}", count: 200) + ".txt", ".txt"),
  ])
  func `A long name is shortened to 255 bytes, and retains its ending`(
    claimed: String, expected: String
  ) throws {
    let form = try Request.multipart(parts: Self.file("f", claimed, "x")).formData()
    #expect(form.files.map(\.fileName) == [expected])
    #expect(expected.utf8.count <= 255)
  }

  private static let firefoxBoundary =
    "---------------------------293582696224464183201234567890"

  static func text(_ name: String, _ value: String) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"\n\n\(value)"
  }

  static func file(_ name: String, _ fileName: String, _ content: String) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\n\n\(content)"
  }
}

extension Request {
  /// Creates a request that posts a form with files. Its lines end with CR LF.
  static func multipart(
    _ lines: String, type: String = "multipart/form-data; boundary=b"
  ) -> Request {
    .form(lines.replacing("\n", with: "\r\n"), type: type)
  }

  /// Creates a request that posts a form of parts, each with its head.
  static func multipart(parts: String...) -> Request {
    multipart(parts.map { "--b\n\($0)\n" }.joined() + "--b--\n")
  }
}
