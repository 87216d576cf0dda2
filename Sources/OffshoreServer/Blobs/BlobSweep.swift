import OffshoreWire

/// The removal of files in the folder of blobs that the storage does not know.
///
/// A crash between renaming a file and storing its entry leaves such a file, and so does an older
/// storage that was restored beside a newer folder. The file is marked when it is first found, and
/// deleted if it is still unknown after a grace period. If the storage knows it again meanwhile,
/// for example because another copy was restored, the mark is removed.
struct BlobSweep {
  /// The time for which an unknown file stays, in milliseconds.
  static let grace: Int64 = 7 * 86_400_000
  /// The number of files per read of the storage.
  private static let chunk = 200

  let blobs: BlobStore
  let storage: any ServerStorage
  /// The current time, in milliseconds since 1970.
  let now: Int64

  /// Marks unknown files, and deletes those that were marked long enough ago.
  /// - Throws: `CancellationError` if the task is cancelled, ``BlobFileError``, or any error of the
  ///   storage.
  func run() async throws {
    for folder in BlobStore.folderNames {
      let files = try await blobs.files(in: folder)
      let unknown = try await unknown(files.blobs)
      for hash in files.marks.keys where !unknown.contains(hash) {
        try await blobs.mark(hash, since: nil)
      }
      for hash in unknown { try await sweep(hash, markedAt: files.marks[hash]) }
    }
    try await sweepUploads()
  }

  private func unknown(_ hashes: [ContentHash]) async throws -> Set<ContentHash> {
    var unknown: Set<ContentHash> = []
    for start in stride(from: 0, to: hashes.count, by: Self.chunk) {
      try Task.checkCancellation()
      let chunk = hashes[start..<min(start + Self.chunk, hashes.count)]
      unknown.formUnion(
        try await storage.read { transaction in
          try chunk.filter { try transaction.blobs($0).isEmpty }
        })
    }
    return unknown
  }

  /// Marks an unknown file, or deletes it if it was marked long enough ago and is still unknown.
  ///
  /// NB: A mark from the future was made by a clock that was ahead, and counts from now.
  private func sweep(_ hash: ContentHash, markedAt mark: Int64?) async throws {
    guard let mark, mark <= now else { return try await blobs.mark(hash, since: now) }
    guard mark <= now - Self.grace else { return }
    try await blobs.serialized { [blobs, storage] in
      try await blobs.removeUnused(hash, in: storage)
    }
  }

  /// Deletes the files of uploads that the storage does not know, and that have received nothing for
  /// the lifetime of an upload.
  private func sweepUploads() async throws {
    let uploads = try await blobs.uploads(unchangedSince: now - blobs.limits.uploadLifetime)
    for (hash, account) in uploads {
      try Task.checkCancellation()
      try await blobs.discardEnded(hash, from: account, in: storage)
    }
  }
}
