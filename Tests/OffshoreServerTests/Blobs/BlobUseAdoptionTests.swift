import OffshoreWire
import Testing

@testable import OffshoreServer

/// The use of blobs by stored rows, after a manifest with other file columns is adopted.
struct BlobUseAdoptionTests {
  private let hashes = (1...3).map { ContentHash(of: [$0]) }

  /// Returns data from before photos were files. Both lists have three blobs. In list 1 a task refers to
  /// the first one, and a deleted task to the second. The last of many tasks in list 2 refers to the third.
  private func storage(_ kind: StorageKind) async throws -> any ServerStorage {
    let (storage, manifest) = (try kind.storage(), try Lists.withPhotos(isFile: false))
    try await storage.adopt(manifest, at: 10)
    let rules = try PushRules(manifest)
    let first: [Op] = [
      .list(at: 1), .task("a", at: 2, ["photo": .file(hashes[0])]),
      .task("b", at: 2, ["photo": .file(hashes[1])]), .delete(Lists.task("b"), at: 3),
    ]
    let many = (0..<600).map { [hashes] number -> Op in
      let photo = number == 99 ? WireValue.file(hashes[2]) : .null
      return Op.task("t\(number)", in: "2", at: 2, ["photo": photo])
    }
    let request = PushRequest(
      device: .sample(1), epoch: 7, manifestVersion: 1,
      batches: [
        try TestServer.batch(1, first),
        try TestServer.batch(1, in: "2", [.list("2", at: 1)] + many),
      ])
    try await storage.write { [hashes] log in
      for list in ["1", "2"] {
        let scope = try Lists.scope(list)
        try log.grant(.owner, to: .sample(1), in: scope)
        for hash in hashes {
          try log.addBlob(
            StoredBlob(hash: hash, scope: scope, account: .sample(1), byteCount: 1))
        }
      }
      let response = try rules.apply(request, of: .sample(1), at: 1_000_000, to: &log)
      #expect(response.results.allSatisfy { $0.outcome.range != nil })
    }
    return storage
  }

  /// Returns the times since which the blobs of each list are unused.
  private func unused(in storage: any ServerStorage) async throws -> [[Int64?]] {
    try await storage.read { [hashes] log in
      try ["1", "2"].map { list -> [Int64?] in
        let scope = try Lists.scope(list)
        return try hashes.map { hash -> Int64? in
          let blob = try #require(try log.blobs(hash).first { $0.scope == scope })
          return blob.unused
        }
      }
    }
  }

  /// Returns how many of the blobs of both lists are recorded as used.
  private func usedCount(in storage: any ServerStorage) async throws -> Int {
    try await storage.read { [hashes] log in
      let scopes = try ["1", "2"].map { try Lists.scope($0) }
      return try scopes.reduce(0) { count, scope in
        try hashes.count { try log.isUsed($0, in: scope) } + count
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `The blobs of stored rows are found when a column becomes a file column, and another later`(
    kind: StorageKind
  ) async throws {
    let storage = try await storage(kind)
    #expect(try await unused(in: storage) == [[nil, nil, nil], [nil, nil, nil]])
    #expect(try await usedCount(in: storage) == 0)
    let manifest = try Lists.withPhotos(version: 2)
    let sketches = SyncedTable(
      "sketches", scopeKind: "list", scopeColumn: "listID",
      columns: [
        SyncedColumn("listID", .text), SyncedColumn("file", .text, isNullable: true, isFile: true),
      ])
    let next = try Manifest(
      version: 3, tables: manifest.tables + [sketches], claimableKinds: ["list"])
    for (manifest, now) in [(manifest, Int64(20)), (next, 30)] {
      try await storage.adopt(manifest, at: now)
      #expect(try await unused(in: storage) == [[nil, now, now], [now, now, nil]])
      #expect(try await usedCount(in: storage) == 2)
    }
    await storage.close()
  }

  @Test(arguments: StorageKind.allCases)
  func `A file column that becomes another one is refused, and its blobs stay used`(
    kind: StorageKind
  ) async throws {
    let storage = try await storage(kind)
    try await storage.adopt(Lists.withPhotos(version: 2), at: 20)
    let error = await #expect(throws: WireError.self) {
      try await storage.adopt(Lists.withPhotos(version: 3, isFile: false), at: 30)
    }
    #expect(error?.place == "tables.tasks.columns.photo")
    #expect(try await unused(in: storage) == [[nil, 20, 20], [20, 20, nil]])
    #expect(try await usedCount(in: storage) == 2)
    await storage.close()
  }

  @Test(arguments: StorageKind.allCases)
  func `The times stay if the file columns of these scopes do not change`(kind: StorageKind)
    async throws
  {
    let storage = try await storage(kind)
    let manifest = try Lists.withPhotos(version: 2)
    try await storage.adopt(manifest, at: 20)
    let diary = SyncedTable(
      "diary", scopeKind: "person", scopeColumn: "id",
      columns: [SyncedColumn("photo", .text, isNullable: true, isFile: true)])
    let next = try Manifest(
      version: 3, tables: manifest.tables + [diary], claimableKinds: ["list"])
    for (manifest, now) in [(manifest, Int64(30)), (next, 40)] {
      try await storage.adopt(manifest, at: now)
      #expect(try await unused(in: storage) == [[nil, 20, 20], [20, 20, nil]])
    }
    await storage.close()
  }
}
