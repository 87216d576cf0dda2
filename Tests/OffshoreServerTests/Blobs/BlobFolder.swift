import Foundation
import OffshoreHTTP
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreServer

/// A server with blobs in a temporary folder, which is removed with this object.
final class BlobFolder: Sendable {
  let path: String
  let service: TestService

  init(
    limits: BlobLimits = BlobLimits(), manifest: Manifest? = nil,
    configuration: ServerConfiguration = ServerConfiguration(),
    synchronize: @escaping @Sendable (_ folder: String) throws -> Void = BlobFile.synchronize
  ) throws {
    path = FileManager.default.temporaryDirectory.path + "/offshore-blobs-\(UUID())"
    service = try TestService(
      manifest: manifest, blobs: BlobStore(path, limits: limits, synchronize: synchronize),
      configuration: configuration)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The files in subfolders of the blob folder, as sorted relative paths.
  var files: [String] {
    let names = FileManager.default.subpaths(atPath: path) ?? []
    return names.filter { $0.contains("/") }.sorted()
  }

  static func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}

extension RowClient {
  func put(
    _ bytes: [UInt8], as hash: ContentHash? = nil, to list: String = "1", at offset: Int? = nil,
    of length: Int? = nil
  ) async -> Response {
    var headers: Headers = [:]
    headers["Upload-Offset"] = offset.map(String.init)
    headers["Upload-Length"] = length.map(String.init)
    return await service.send(
      .put, "/v1/blobs/\(hash ?? ContentHash(of: bytes))?scope=list/\(list)", token: token,
      headers: headers, body: bytes)
  }

  func blob(
    _ hash: ContentHash, _ headers: Headers = [:], method: Request.Method = .get
  ) async -> Response {
    await service.send(method, "/v1/blobs/\(hash)", token: token, headers: headers)
  }
}
