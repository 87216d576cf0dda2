/// The view models of who uses the app, and of syncing.
extension AppDependencies {
  /// Signing up, in and out.
  public func makeAccount() -> AccountViewModel {
    AccountViewModel(session: session, sync: sync)
  }

  /// How syncing stands, and what waits.
  public func makeSync() -> SyncViewModel {
    SyncViewModel(session: session, sync: sync, repository: unsentChanges)
  }
}
