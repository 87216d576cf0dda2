import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of blobs that all storages share.
struct BlobStorageTests {
  @Test(arguments: StorageKind.allCases)
  func `Blobs are listed by hash, summed by account, and removed`(kind: StorageKind) async throws {
    let log = try kind.storage()
    try await log.write { log in
      let hashes = (0..<2).map { ContentHash(of: [$0]) }
      let blobs = try ["2", "1"].map {
        StoredBlob(hash: hashes[0], scope: try Lists.scope($0), account: .sample(1), byteCount: 5)
      }
      for blob in blobs { try log.addBlob(blob) }
      #expect(try log.blobs(hashes[0]) == blobs.reversed() && log.blobs(hashes[1]) == [])
      #expect(try log.blobBytes(of: .sample(1)) == 10 && log.blobBytes(of: .sample(2)) == 0)
      try log.removeBlob(hashes[0], from: blobs[0].scope)
      try log.removeBlob(hashes[1], from: blobs[0].scope)
      #expect(try log.blobs(hashes[0]) == [blobs[1]])
    }
    try await log.write { log in
      let uploads = [(1, 7), (2, 5), (2, 6)].map { number, expires in
        BlobUpload(
          hash: ContentHash(of: [UInt8(number)]), account: .sample(UInt8(expires)), byteCount: 3,
          expires: Int64(expires))
      }
      for upload in uploads { try log.setUpload(upload) }
      try log.setUpload(uploads[2])
      #expect(try log.uploads(of: .sample(6)) == [uploads[2]])
      #expect(try log.uploads(expiredBy: 6) == [uploads[1], uploads[2]])
      try log.removeUpload(uploads[1].hash, of: .sample(5))
      #expect(try log.uploads(expiredBy: 6) == [uploads[2]])
      try log.setUpload(uploads[1])
      #expect(try log.removeUploads(expiredBy: 6) == [uploads[1], uploads[2]])
      #expect(try log.removeUploads(expiredBy: 6) == [])
      #expect(try log.uploads(of: .sample(7)) == [uploads[0]])
    }
  }
}
