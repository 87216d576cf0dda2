public import OffshorePresentation

/// The view models of who uses the app, and of syncing.
extension AppDependencies {
  /// Signing up, in and out.
  public func makeAccount() -> AccountModel { AccountModel(sync) }

  /// How syncing stands, and what waits.
  public func makeSync() -> SyncModel { SyncModel(sync) }
}
