import OffshoreHTTP
import Synchronization
import Testing

/// Forms with files that arrive over a socket.
struct FormUploadTests {
  /// The photos that were posted, by their titles.
  private final class Album: Sendable {
    private let photos = Mutex<[String: [UInt8]]>([:])

    subscript(title: String) -> [UInt8]? { photos.withLock { $0[title] } }

    func add(_ bytes: ArraySlice<UInt8>, titled title: String) {
      photos.withLock { $0[title] = Array(bytes) }
    }
  }

  private let album = Album()

  private var server: HTTPServer {
    let album = album
    var router = Router()
    router.post("photos", bodyLimit: 8 << 20) { request in
      let form = try request.formData()
      guard let photo = form.files("photo").first else {
        throw HTTPError(.unprocessableContent, "Choose a photo.")
      }
      album.add(photo.bytes, titled: form.fields["title"] ?? photo.fileName)
      return .redirect(to: "/photos")
    }
    return HTTPServer(.forTests, router: router)
  }

  private static func post(_ body: [UInt8]) -> Request {
    var request = Request(.post, "/photos", body: body)
    request.headers["Content-Type"] = "multipart/form-data; boundary=b"
    return request
  }

  private static func body(_ photo: [UInt8], title: String? = nil) -> [UInt8] {
    let text = title.map { "--b\r\nContent-Disposition: form-data; name=title\r\n\r\n\($0)\r\n" }
    let head = "--b\r\nContent-Disposition: form-data; name=photo; filename=\"a b.png\"\r\n\r\n"
    return Array(((text ?? "") + head).utf8) + photo + Array("\r\n--b--\r\n".utf8)
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13) }
  }

  @Test func `A photo of three megabytes arrives, and is named by the form or by its file`()
    async throws
  {
    let photo = Self.bytes(3_000_000)
    let statuses = try await serving(server) { port in
      try await onThread {
        var client = try RawClient(port: port)
        return try [Self.body(photo, title: "Bay"), Self.body(photo)].map { body in
          client.send(Self.post(body))
          return try client.response().status
        }
      }
    }
    #expect(statuses == [.seeOther, .seeOther])
    #expect(album["Bay"] == photo && album["a b.png"] == photo)
  }

  @Test func `A form arrives in chunks that divide its boundaries`() async throws {
    let photo = Self.bytes(500)
    let status = try await serving(server) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(
          "POST /photos HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n")
        for byte in Self.body(photo, title: "Chunks") {
          client.send(Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8))
        }
        client.send("0\r\n\r\n")
        return try client.response().status
      }
    }
    #expect(status == .seeOther && album["Chunks"] == photo)
  }

  @Test func `A refused form has a reason, and the connection remains usable`() async throws {
    let texts = try await serving(server) { port in
      try await onThread {
        var client = try RawClient(port: port)
        let whole = Self.body([1, 2, 3], title: "Later")
        return try [whole.dropLast(4), Self.body([])[...], whole[...]].map { body in
          client.send(Self.post(Array(body)))
          let response = try client.response()
          return "\(response.status) \(response.text)"
        }
      }
    }
    #expect(texts[0].hasPrefix("400 The form ends before its last boundary."))
    #expect(texts[1...] == ["303 ", "303 "])
    #expect(album["a b.png"] == [] && album["Later"] == [1, 2, 3])
  }

  @Test func `A form that is larger than its route allows is refused with 413`() async throws {
    let status = try await serving(server) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Self.post(Self.body([UInt8](repeating: 0, count: 8 << 20), title: "Large")))
        return try client.response().status
      }
    }
    #expect(status == .contentTooLarge && album["Large"] == nil)
  }
}
