import OffshoreHTTP

extension Router {
  /// Adds who uses the app, and how syncing stands.
  mutating func addAccount(_ pages: AnyfleetPages) {
    let limit = AnyfleetPages.formLimit
    get("profile/account") { try await pages.account($0) }
    post("profile/account/sign-up", bodyLimit: limit) { try await pages.signUp($0) }
    post("profile/account/sign-in", bodyLimit: limit) { try await pages.signIn($0) }
    post("profile/account/sign-out", bodyLimit: limit) { try await pages.signOut($0) }
    post("profile/account/password", bodyLimit: limit) { try await pages.changePassword($0) }

    get("profile/sync") { try await pages.sync($0) }
    post("profile/sync/now", bodyLimit: limit) { try await pages.syncNow($0) }
    post("profile/sync/airplane", bodyLimit: limit) { try await pages.setAirplane($0) }
    post("profile/sync/changes/:change/cancel", bodyLimit: limit) {
      try await pages.cancelChange($0)
    }
    post("profile/sync/refused/:change/retry", bodyLimit: limit) {
      try await pages.retryChange($0)
    }
    post("profile/sync/refused/:change/discard", bodyLimit: limit) {
      try await pages.discardChange($0)
    }
  }
}
