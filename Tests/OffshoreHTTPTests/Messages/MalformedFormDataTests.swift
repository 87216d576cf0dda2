import OffshoreHTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MalformedFormDataTests {
  private static let form = """
    --b\r\nContent-Disposition: form-data; name="title"\r\n\r\nKornati\r\n\
    --b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\
    Content-Type: image/png\r\n\r\n\r\n-\r\n--\r\nPNG\r\n--b--\r\n
    """

  private static func request(_ body: [UInt8]) -> Request {
    var request = Request.multipart("")
    request.body = body
    return request
  }

  @Test func `Refuses a form that ends early, at each byte`() throws {
    let body = Array(Self.form.utf8)
    let end = body.count - 2
    for count in [end, body.count] {
      let form = try Self.request(Array(body.prefix(count))).formData()
      #expect(form.files.map { Array($0.bytes) } == [Array("\r\n-\r\n--\r\nPNG".utf8)])
    }
    for count in Array(0..<end) + [end + 1] {
      let error = #expect(throws: HTTPError.self) {
        try Self.request(Array(body.prefix(count))).formData()
      }
      #expect(error?.status == .badRequest, "\(count) bytes")
    }
  }

  @Test(arguments: [1, 2])
  func `Parses or refuses 4,000 mutated forms, and names no file like a path`(seed: UInt64) throws {
    let noFile = Self.form.replacing("a.png", with: "")
    var inputs = Mutations(seed: seed, of: [Self.form, noFile, "before\r\n\(Self.form)after"])
    let expected: Set<Response.Status> = [.badRequest, .contentTooLarge]
    var parsedCount = 0
    for _ in 0..<4_000 {
      let request = Self.request(inputs.next())
      do {
        let form = try request.formData()
        parsedCount += 1
        #expect(form.fields.items.count + form.files.count <= request.body.count)
        for file in form.files { Self.check(file, in: request.body) }
      } catch let error as HTTPError {
        #expect(expected.contains(error.status) && !error.message.isEmpty)
      }
    }
    #expect(1..<4_000 ~= parsedCount)
  }

  private static func check(_ file: FormData.File, in body: [UInt8]) {
    #expect(file.bytes == body[file.bytes.startIndex..<file.bytes.endIndex])
    #expect(1...255 ~= file.fileName.utf8.count)
    #expect(!file.fileName.utf8.contains { $0 < 0x20 || "/\\".utf8.contains($0) })
  }

  @Test func `Parses or refuses 4,000 mutated content types`() throws {
    var inputs = Mutations(
      seed: 3,
      of: ["multipart/form-data; boundary=b", "multipart/form-data; charset=\"x\"; boundary=\"b\""])
    let expected: Set<Response.Status> = [.badRequest, .unsupportedMediaType]
    for _ in 0..<4_000 {
      var request = Self.request(Array(Self.form.utf8))
      request.headers["Content-Type"] = String(decoding: inputs.next(), as: UTF8.self)
      do {
        let names = try request.formData().files.map(\.fileName)
        #expect(names == ["a.png"] || names.isEmpty)
      } catch let error as HTTPError {
        #expect(expected.contains(error.status), "\(request.headers)")
      }
    }
  }

  /// Content that resembles a boundary of 69 hyphens and a letter.
  @Test(arguments: ["\r", "\r\n-", "-", "\r\n" + String(repeating: "-", count: 71), "\r\n\r\n"])
  func `Reads 2 MiB that resemble a boundary, for which a quadratic search takes minutes`(
    pattern: String
  ) {
    let boundary = String(repeating: "-", count: 69) + "b"
    let start = "--\(boundary)\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n"
    let count = (2 << 20) / pattern.utf8.count
    let request = Request.form(
      start + String(repeating: pattern, count: count),
      type: "multipart/form-data; boundary=\(boundary)")
    let error = #expect(throws: HTTPError.self) { try request.formData() }
    #expect(error?.message.contains("ends before its last boundary") == true)
  }

  @Test func `Stops at the limit in a form of many parts or of a long head`() {
    let parts = String(
      repeating: "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n", count: 20_000)
    let head = "--b\r\n" + String(repeating: "X: y\r\n", count: 200_000)
    for body in [Array(parts.utf8), Array(head.utf8)] {
      let error = #expect(throws: HTTPError.self) { try Self.request(body).formData() }
      #expect(error?.status == .contentTooLarge)
    }
  }
}
