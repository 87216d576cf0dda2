import OffshoreWire

/// The removal of blobs from scopes in which no row has referred to them for a while.
///
/// So a blob that arrives before its row, or whose row is deleted and inserted again, stays. The removal
/// frees the quota of the account that sent the blob to the scope.
struct UnusedBlobs {
  /// The number of blobs that are removed by one write, so that other writes do not wait for long.
  private static let chunk = 100

  let blobs: BlobStore
  let storage: any ServerStorage
  /// The current time, in milliseconds since 1970.
  let now: Int64

  /// Removes the blobs, and the contents that no scope has then.
  ///
  /// If the server is killed in between, such a content is an unknown file, which ``BlobSweep`` removes.
  /// - Throws: `CancellationError` if the task is cancelled, ``BlobFileError``, or any error of the
  ///   storage.
  func remove() async throws {
    while try await removeChunk() == Self.chunk { try Task.checkCancellation() }
  }

  /// Removes the blobs that have been unused for the longest time.
  /// - Returns: the number of removed blobs.
  private func removeChunk() async throws -> Int {
    let time = now - blobs.limits.unusedLifetime
    return try await blobs.serialized { [blobs, storage] in
      let removed = try await storage.write {
        try $0.removeBlobs(unusedSince: time, limit: Self.chunk)
      }
      for hash in Set(removed.map(\.hash)) { try await blobs.removeUnused(hash, in: storage) }
      return removed.count
    }
  }
}
