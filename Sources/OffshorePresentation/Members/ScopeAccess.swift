public import Observation
import OffshoreSync
public import OffshoreWire

/// The roles of the account in all scopes of a kind, observed once for all pages.
@MainActor
final class Memberships {
  let live: Live<[String: Role]>
  private let store: SyncedStore
  private let kind: String

  init(_ kind: String, in store: SyncedStore) {
    self.kind = kind
    self.store = store
    live = Live { Self.roles(inScopesOf: kind, store) }
  }

  /// Observes the roles, by the values of the scopes.
  private static func roles(
    inScopesOf kind: String, _ store: SyncedStore
  ) -> any AsyncSequence<[String: Role], any Error> {
    store.values { reader in
      let roles = try store.roles(inScopesOf: kind, reader)
      return Dictionary(roles.map { ($0.value, $1) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Deletes the copy of a scope that the account has left.
  func removeCopy(of value: String) async throws {
    guard try await store.removeCopy(of: ScopeID(kind: kind, value: value)) else {
      throw AppError.database(.notFound)
    }
  }
}

/// The role of the account in one scope, observed live.
@MainActor @Observable
public final class ScopeAccess {
  private let memberships: Memberships
  private let value: String

  init(_ memberships: Memberships, value: String) {
    self.memberships = memberships
    self.value = value
  }

  /// The role of the account; `nil` before ``load()``, or if the server has not assigned one yet.
  public var role: Role? { memberships.live.state.data?[value] }

  /// Whether the rows of the scope may be edited on this device. It is `true` if the server has not
  /// assigned a role yet, and `false` if the role cannot be read.
  public var canEdit: Bool { role?.canWrite ?? (memberships.live.state.errorValue == nil) }

  /// The error of reading or refreshing the role, or `nil`.
  public var error: AppError? { memberships.live.state.errorValue ?? memberships.live.refreshError }

  /// Reads the role, and observes it from then on. The roles in all scopes of a kind are read and
  /// observed together.
  public func load() async { await memberships.live.loadIfNeeded() }

  /// Waits until the role contains every write that completed before the call.
  func catchUp() async { await memberships.live.catchUp() }

  /// Deletes the copy of the scope from this device after the account has left the scope.
  /// - Throws: `AppError` with `database(.notFound)` if the copy does not exist; `DatabaseError`.
  public func removeCopy() async throws { try await memberships.removeCopy(of: value) }
}
