import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of blobs that all storages share.
struct BlobStorageTests {
  @Test(arguments: StorageKind.allCases)
  func `Blobs are listed by hash, summed by account and by scope, and removed`(kind: StorageKind)
    async throws
  {
    let log = try kind.storage()
    try await log.write { log in
      let hashes = (0..<2).map { ContentHash(of: [$0]) }
      let blobs = try ["2", "1"].map {
        StoredBlob(hash: hashes[0], scope: try Lists.scope($0), account: .sample(1), byteCount: 5)
      }
      for blob in blobs { try log.addBlob(blob) }
      #expect(try log.blobs(hashes[0]) == blobs.reversed() && log.blobs(hashes[1]) == [])
      #expect(try log.blobBytes(of: .sample(1)) == 10 && log.blobBytes(of: .sample(2)) == 0)
      #expect(try log.blobBytes(in: blobs[0].scope) == 5)
      try log.removeBlob(hashes[0], from: blobs[0].scope)
      #expect(try log.blobBytes(in: blobs[0].scope) == 0)
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

  // MARK: - Use

  private static func blob(
    _ number: UInt8, in list: String = "1", unused: Int64? = nil
  ) throws -> StoredBlob {
    StoredBlob(
      hash: ContentHash(of: [number]), scope: try Lists.scope(list), account: .sample(1),
      byteCount: 5, unused: unused)
  }

  @Test(arguments: StorageKind.allCases)
  func `The time since which a blob is unused is replaced in one scope`(kind: StorageKind)
    async throws
  {
    try await kind.write { log in
      var blobs = try ["1", "2"].map { try Self.blob(1, in: $0, unused: 4) }
      for blob in blobs { try log.addBlob(blob) }
      #expect(try log.blobs(blobs[0].hash) == blobs)
      for time: Int64? in [nil, 1_750_000_000_000] {
        blobs[1].unused = time
        try log.setUnused(time, blobs[1].hash, in: blobs[1].scope)
        #expect(try log.blobs(blobs[0].hash) == blobs)
      }
      try log.setUnused(9, ContentHash(of: [2]), in: blobs[0].scope)
      #expect(try log.blobs(ContentHash(of: [2])) == [])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Only unused blobs are renewed`(kind: StorageKind) async throws {
    try await kind.write { log in
      for blob in try [Self.blob(1, unused: 4), Self.blob(2)] { try log.addBlob(blob) }
      try log.renewUnused(at: 7)
      #expect(try log.blobs(ContentHash(of: [1])).map(\.unused) == [7])
      #expect(try log.blobs(ContentHash(of: [2])).map(\.unused) == [nil])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `The blobs that have been unused for the longest time are removed first`(kind: StorageKind)
    async throws
  {
    try await kind.write { log in
      let blobs = try [
        Self.blob(1, unused: 6), Self.blob(2, unused: 4), Self.blob(3), Self.blob(4, unused: 5),
        Self.blob(2, in: "2", unused: 7),
      ]
      for blob in blobs { try log.addBlob(blob) }
      #expect(try log.removeBlobs(unusedSince: 3, limit: 9) == [])
      #expect(try log.removeBlobs(unusedSince: 6, limit: 2) == [blobs[1], blobs[3]])
      #expect(try log.removeBlobs(unusedSince: 6, limit: 2) == [blobs[0]])
      #expect(try log.removeBlobs(unusedSince: .max, limit: .max) == [blobs[4]])
      #expect(try log.blobs(blobs[2].hash) == [blobs[2]])
      #expect(try log.blobBytes(of: .sample(1)) == 5)
    }
  }

  /// Returns the numbers of the blobs to which rows of each scope refer.
  private static func used(
    in scopes: [ScopeID], _ log: any StorageTransaction
  ) throws -> [[UInt8]] {
    try scopes.map { scope in
      try (1...3 as ClosedRange<UInt8>).filter { try log.isUsed(ContentHash(of: [$0]), in: scope) }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `A column of a row refers to one blob`(kind: StorageKind) async throws {
    let (scope, other) = (try Lists.scope("1"), try Lists.scope("2"))
    let hashes = (1...3).map { ContentHash(of: [$0]) }
    try await kind.write { log in
      try log.setBlobReference(hashes[0], from: Lists.task("a"), column: "photo", in: scope)
      try log.setBlobReference(hashes[1], from: Lists.task("a"), column: "map", in: scope)
      try log.setBlobReference(hashes[1], from: Lists.task("b"), column: "photo", in: scope)
      try log.setBlobReference(hashes[2], from: Lists.task("a"), column: "photo", in: other)
      #expect(try Self.used(in: [scope, other], log) == [[1, 2], [3]])
      #expect(try Set(log.rows(of: "tasks", referringTo: hashes[1], in: scope)) == ["a", "b"])
      for (table, hash) in [("lists", hashes[1]), ("tasks", hashes[2])] {
        #expect(try log.rows(of: table, referringTo: hash, in: scope) == [])
      }
      // Both columns of a row may refer to one blob.
      try log.setBlobReference(hashes[0], from: Lists.task("a"), column: "map", in: scope)
      #expect(try log.rows(of: "tasks", referringTo: hashes[0], in: scope) == ["a"])
      try log.setBlobReference(hashes[1], from: Lists.task("a"), column: "map", in: scope)
      // Another blob takes the place of the first.
      try log.setBlobReference(hashes[2], from: Lists.task("a"), column: "photo", in: scope)
      #expect(try Self.used(in: [scope, other], log) == [[2, 3], [3]])
      try log.setBlobReference(nil, from: Lists.task("a"), column: "map", in: scope)
      #expect(try Self.used(in: [scope, other], log) == [[2, 3], [3]])
      for _ in 0..<2 {
        try log.setBlobReference(nil, from: Lists.task("b"), column: "photo", in: scope)
        #expect(try Self.used(in: [scope, other], log) == [[3], [3]])
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `References and times are reset for one kind of scopes`(kind: StorageKind) async throws {
    let hash = ContentHash(of: [1])
    let scopes = try ["list/1", "list/~", "lis/1", "list2/1", "lists/1"].map { try ScopeID($0) }
    try await kind.write { log in
      for scope in scopes {
        try log.addBlob(
          StoredBlob(hash: hash, scope: scope, account: .sample(1), byteCount: 5, unused: 3))
        try log.setBlobReference(hash, from: Lists.task("a"), column: "photo", in: scope)
      }
      for time: Int64? in [8, nil] {
        try log.resetBlobs(ofKind: "list", unusedSince: time)
        let blobs = try log.blobs(hash)
        #expect(blobs.filter { $0.scope.kind == "list" }.map(\.unused) == [time, time])
        #expect(blobs.filter { $0.scope.kind != "list" }.map(\.unused) == [3, 3, 3])
        let used = try scopes.filter { try log.isUsed(hash, in: $0) }
        #expect(used == Array(scopes.dropFirst(2)))
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `The scopes of a kind are found in their order`(kind: StorageKind) async throws {
    let scopes = try ["list/!", "list/1", "list/11", "list/a", "list/~"].map { try ScopeID($0) }
    try await kind.write { log in
      for text in ["lis/1", "list2/1", "lists/1", "person/1"] {
        try log.setScope(ScopeID(text), ScopeState(head: 1, epoch: 7))
      }
      for scope in scopes.reversed() { try log.setScope(scope, ScopeState(head: 1, epoch: 7)) }
      #expect(try log.scopes(ofKind: "list", after: nil, limit: 9) == scopes)
      #expect(try log.scopes(ofKind: "list", after: nil, limit: 2) == Array(scopes.prefix(2)))
      #expect(
        try log.scopes(ofKind: "list", after: scopes[1], limit: 2) == Array(scopes[2..<4]))
      #expect(try log.scopes(ofKind: "list", after: scopes[4], limit: 2) == [])
      #expect(try log.scopes(ofKind: "none", after: nil, limit: 2) == [])
    }
  }
}
