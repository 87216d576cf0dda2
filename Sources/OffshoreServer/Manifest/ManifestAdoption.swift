package import OffshoreWire

extension ServerStorage {
  /// Stores the manifest that the data is served under, if it covers all stored data.
  ///
  /// A server calls this before it accepts requests. An old manifest would refuse columns that
  /// devices have long synced.
  /// - Throws: `WireError` with the code `invalidManifest` if the manifest is older than the stored
  ///   one, or cannot follow it; see `ManifestComparison`. Any error of the storage.
  package func adopt(_ manifest: Manifest) async throws {
    try await write { transaction in
      if let former = try transaction.manifest() {
        try ManifestComparison(former, manifest).check()
      }
      try transaction.setManifest(manifest)
    }
  }
}
