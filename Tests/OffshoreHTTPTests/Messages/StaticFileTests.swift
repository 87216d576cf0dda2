import Foundation
import OffshoreHTTP
import Testing

struct StaticFileTests {
  private static let file = StaticFile(
    Array("a {}".utf8), contentType: "text/css", cacheControl: "max-age=60")

  private static func response(ifNoneMatch tags: [String]) -> Response {
    var request = Request(.get, "/")
    for tag in tags { request.headers.add("If-None-Match", tag) }
    return file.response(to: request)
  }

  @Test func `Returns its bytes with type, tag and cache duration`() {
    let response = Self.file.response(to: Request(.get, "/"))
    #expect(response.status == .ok)
    #expect(response.text == "a {}")
    #expect(response.headers["Content-Type"] == "text/css")
    #expect(response.headers["Cache-Control"] == "max-age=60")
    #expect(response.headers["ETag"] == Self.file.entityTag)
  }

  @Test func `Answers 304 without a body to a client with the current bytes`() {
    let tag = Self.file.entityTag
    for tags in [[tag], ["W/\(tag)"], ["\"x\", \(tag)"], ["\"x\"", " \(tag) "], ["*"]] {
      let response = Self.response(ifNoneMatch: tags)
      #expect(response.status == .notModified)
      #expect(response.bytes.isEmpty)
      #expect(response.headers["ETag"] == tag)
    }
  }

  @Test(arguments: ["", "\"x\"", "x", ",", "W/"])
  func `Sends its bytes to a client with other bytes`(tag: String) {
    #expect(Self.response(ifNoneMatch: [tag]).status == .ok)
  }

  @Test func `Has a quoted tag that differs for other bytes`() {
    let contents: [[UInt8]] = [[], [0], [0, 0], [1], Array("a {}".utf8), Array("b {}".utf8)]
    let tags = Set(contents.map { StaticFile($0, contentType: "a/b").entityTag })
    #expect(tags.count == contents.count)
    #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count > 2 })
  }

  @Test func `Reads a file, and throws if it does not exist`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.js").path
    try Data([1, 2, 3]).write(to: URL(filePath: path))
    #expect(try StaticFile(contentsOf: path, contentType: "a/b").bytes == [1, 2, 3])
    #expect(throws: (any Error).self) {
      try StaticFile(contentsOf: path + "x", contentType: "a/b")
    }
  }
}

/// Bodies that are sent from files.
struct FileBodyTests {
  @Test func `A file is sent in parts and as a whole, even after its name was removed`()
    async throws
  {
    let path = FileManager.default.temporaryDirectory.path + "/offshore-file-\(UUID())"
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try Data(content).write(to: URL(filePath: path))
    let file = try FileSlice(path: path)
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: CocoaError.self) { try FileSlice(path: path) }
    var router = Router()
    router.get("whole") { _ in Response(.ok, body: .file(file)) }
    router.get("part") { _ in Response(.ok, body: .file(file[100_000..<900_000][1..<200_000])) }
    router.get("none") { _ in Response(.ok, body: .file(file[900_000..<900_001])) }
    for (path, expected) in [
      ("whole", content), ("part", Array(content[100_001...])), ("none", []), ("whole", content),
    ] {
      for transport in Transport.allCases {
        let response = try await transport.respond(router, to: Request(.get, "/\(path)"))
        #expect(response.bytes == expected && response.byteCount == expected.count)
      }
      let head = try await Transport.loopback.respond(router, to: Request(.head, "/\(path)"))
      #expect(head.headers["Content-Length"] == "\(expected.count)")
    }
  }
}
