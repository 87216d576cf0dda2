/// What a server does from time to time, whoever asks.
extension SyncServer {
  /// Forgets tombstones that are older than a time, and notes which ones there are. It is to be called
  /// regularly, for example each hour. Where it fails that is logged, and the next call makes up for it.
  ///
  /// A device that was away for longer fetches its scopes anew, and what it has not sent stays.
  /// - Parameter lifetime: in milliseconds.
  public func collectTombstones(olderThan lifetime: Int64) async {
    let (retention, now) = (Retention(lifetime: lifetime), clock())
    do {
      try await log.write { try retention.collect(at: now, in: &$0) }
    } catch {
      configuration.log.write("error", at: now, ["error": .text(Self.describe(error))])
    }
  }
}
