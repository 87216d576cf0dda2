/// The removal of old tombstones.
extension SyncServer {
  /// Removes tombstones that are older than a lifetime, and marks the present ones.
  ///
  /// Call it regularly, for example each hour. An error is logged, and the next call makes up for
  /// it. A device that was away for longer than the lifetime fetches its scopes again, without
  /// losing its pending changes.
  /// - Parameter lifetime: how long a tombstone is stored at least, in milliseconds.
  public func collectTombstones(olderThan lifetime: Int64) async {
    let (retention, now) = (Retention(lifetime: lifetime), clock())
    do {
      try await log.write { try retention.collect(at: now, in: &$0) }
    } catch {
      configuration.log.write("error", at: now, ["error": .text(Self.describe(error))])
    }
  }
}
