import Foundation
import OffshoreHTTP
import Testing

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
