package import OffshoreWire

extension ServerStorage {
  /// Stores the manifest that the data is served under, if it covers all stored data, and derives the
  /// access by its rules if these have changed.
  ///
  /// A server calls this before it accepts requests. An old manifest would refuse columns that
  /// devices have long synced.
  /// - Throws: `WireError` with the code `invalidManifest` if the manifest is older than the stored
  ///   one, or cannot follow it; see `ManifestComparison`. Any error of the storage.
  package func adopt(_ manifest: Manifest) async throws {
    try await write { transaction in
      let former = try transaction.manifest()
      if let former { try ManifestComparison(former, manifest).check() }
      try transaction.setManifest(manifest)
      guard former?.accessRules ?? [] != manifest.accessRules else { return }
      try AccessRules(manifest, after: former).deriveAll(on: &transaction)
    }
  }
}
