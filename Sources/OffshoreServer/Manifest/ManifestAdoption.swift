package import OffshoreWire

extension ServerStorage {
  /// Stores the manifest that the data is served under, if it covers all stored data. Derives the
  /// access by its rules and the use of blobs by its file columns, if these have changed.
  ///
  /// A server calls this before it accepts requests. An old manifest would refuse columns that
  /// devices have long synced.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  /// - Throws: `WireError` with the code `invalidManifest` if the manifest is older than the stored
  ///   one, or cannot follow it; see `ManifestComparison`. Any error of the storage.
  package func adopt(_ manifest: Manifest, at now: Int64 = SystemClock.now()) async throws {
    try await write { transaction in
      let former = try transaction.manifest()
      if let former { try ManifestComparison(former, manifest).check() }
      try transaction.setManifest(manifest)
      try BlobUse(manifest, after: former).derive(at: now, on: &transaction)
      guard former?.accessRules ?? [] != manifest.accessRules else { return }
      try AccessRules(manifest, after: former).deriveAll(on: &transaction)
    }
  }
}
