public import Foundation
public import Observation
public import OffshoreSync
public import OffshoreWire

/// The model of a page with the members of a scope and its invitations.
///
/// The members are stored on this device, as last pulled, so they are there without a network. Changes of
/// them apply at once, and are sent later. The invitations are stored on the server only, and are fetched
/// each time.
@MainActor @Observable
public final class MembersModel {
  /// The ability of a scope to have other members.
  public enum Sharing: Equatable, Sendable {
    /// The app was started without a server.
    case noServer
    /// The device is signed out.
    case signedOut
    /// The server has not received the scope yet.
    case unsent
    /// The account is a member, in a role.
    case shared(Role)
  }

  /// A request by the user.
  public enum Action: Hashable, Sendable {
    /// Changing the role of a member.
    case role(of: UUID)
    /// Adding an account that shares another scope.
    case addition
    /// Removing another member.
    case removal(of: UUID)
    /// Inviting another account.
    case invitation
    /// Withdrawing an invitation.
    case withdrawal(of: OpenInvitation.ID)
    /// Ending the user's own membership.
    case leaving
  }

  /// The scope.
  let scope: ScopeID
  /// The error of the latest fetch of the invitations, if it failed. They may then be out of date.
  public private(set) var refreshError: AppError?
  /// The latest invitation created by this model, until it is accepted or withdrawn. Its code is
  /// available only here.
  public private(set) var invitation: ScopeInvitation?
  /// The invitations that can still be used, in the server's latest answer; empty if the user is
  /// not an owner.
  public private(set) var openInvitations: [OpenInvitation] = []
  /// The role of the latest invitation.
  public private(set) var invitedRole = Role.editor
  /// The number of accounts that could use the latest invitation.
  public private(set) var invitedUses = 1
  /// The number of days for which the latest invitation was created.
  public private(set) var invitedDays = 7
  /// The latest request of the user with its error, if it failed.
  private(set) var failure: (action: Action, error: AppError)?

  private let access: ScopeAccess
  private let requests: MemberRequests
  private let liveTitle: Live<String?>
  private let liveMembers: Live<[Member]?>
  private let liveAccounts: Live<[KnownAccount]>
  @ObservationIgnored private var fetching: Task<Void, Never>?
  /// The cause of the latest fetch.
  @ObservationIgnored private var lastCause: Cause?

  /// The maximum time that ``load()`` waits for the server.
  private static let loadTimeout = Duration.seconds(2)

  /// Creates a model. Nothing is read before ``load()``.
  public init(_ scope: ScopeID, _ sync: SyncService) {
    self.scope = scope
    access = sync.access(to: scope)
    requests = MemberRequests(sync: sync)
    liveTitle = sync.liveTitle(of: scope)
    liveMembers = sync.liveMembers(of: scope)
    liveAccounts = sync.liveKnownAccounts(notIn: scope)
  }

  private var sync: SyncService { requests.sync }

  // MARK: - State

  /// The title of the shared row; the error `database(.notFound)` if the row is not on this device.
  public var title: ViewState<String> {
    liveTitle.state.flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }

  /// The members, the user first and then the others by name; `idle` if the user is not a member.
  ///
  /// They are `loading` until this device knows them: they arrive with the rows of the scope. If these
  /// cannot arrive, the state is the reason. In a scope without changes, the owner is shown alone.
  public var members: ViewState<[Member]> {
    guard case .shared(let role) = sharing, role.canRead else { return .idle }
    return liveMembers.state.flatMap { members in
      guard let members else { return sync.blockingError.map { .error($0) } ?? .loading }
      guard members.isEmpty else {
        return .loaded(members.filter(isOwn) + members.filter { !isOwn($0) })
      }
      guard role == .owner, let account = sync.session.account else { return .loading }
      return .loaded([Member(account, role)])
    }
  }

  /// The ability of the scope to have other members.
  public var sharing: Sharing {
    if !requests.hasServer { return .noServer }
    if access.role == .left { return .shared(.left) }
    if !sync.session.isSignedIn { return .signedOut }
    return access.role.map { .shared($0) } ?? .unsent
  }

  /// Whether this account may invite others and change roles.
  public var canManage: Bool { sharing == .shared(.owner) }

  /// The accounts that the user may add without an invitation, by name: those that share another scope.
  /// They are empty if the user is not an owner, if the schema does not list the kind of the scope
  /// among its `admittingKinds`, and until the members are known.
  public var knownAccounts: [KnownAccount] {
    canManage && members.isKnown ? liveAccounts.state.data ?? [] : []
  }

  /// Whether this account can leave the scope. The last owner can only if there is an editor.
  public var canLeave: Bool {
    guard case .shared(let role) = sharing, role.canRead else { return false }
    return role != .owner || others.contains { $0.role == .owner } || heir != nil
  }

  /// The member that becomes an owner if this account, the last owner, leaves: the editor with the oldest
  /// membership. `nil` if there is another owner, or no editor.
  public var heir: Member? {
    guard canManage, !others.contains(where: { $0.role == .owner }) else { return nil }
    return others.filter(\.role.canWrite).min {
      ($0.since ?? .distantPast, $0.id.uuidString) < ($1.since ?? .distantPast, $1.id.uuidString)
    }
  }

  private var others: [Member] { members.data?.filter { !isOwn($0) } ?? [] }

  /// Returns whether a member is the user.
  public func isOwn(_ member: Member) -> Bool { member.id == sync.session.userID }

  /// Returns the error of a request if it is the latest one by the user and failed.
  public func error(of action: Action) -> AppError? {
    failure?.action == action ? failure?.error : nil
  }

  // MARK: - Reading

  /// Reads the title, the user's role and the members, and fetches the invitations if the user is an
  /// owner.
  ///
  /// If the server does not answer within two seconds, it returns before the invitations have arrived.
  public func load() async {
    async let title: Void = liveTitle.load()
    async let role: Void = access.load()
    async let members: Void = liveMembers.load()
    async let accounts: Void = liveAccounts.load()
    _ = await (title, role, members, accounts)
    guard let fetching = fetch() else { return }
    _ = await wait(for: fetching, atMost: Self.loadTimeout, by: sync.sleep)
  }

  /// Fetches the invitations again after each change of the user's role and each notification that
  /// members have changed, until the task is cancelled.
  public func observeChanges() async {
    let causes = Observations { [weak self] in self?.cause }
    for await cause in causes where cause != lastCause {
      lastCause = cause
      _ = fetch()
    }
  }

  /// The values whose change causes another fetch.
  private struct Cause: Equatable {
    let role: Role?
    let changes: UInt64
  }

  private var cause: Cause { Cause(role: access.role, changes: sync.membershipChanges) }

  private func fetch() -> Task<Void, Never>? {
    lastCause = cause
    guard canManage else { return nil }
    fetching?.cancel()
    let task = Task { await fetchOnce() }
    fetching = task
    return task
  }

  private func fetchOnce() async {
    do {
      let invitations = try await requests.invitations(to: scope)
      guard !Task.isCancelled else { return }
      (refreshError, openInvitations) = (nil, invitations)
      if !invitations.contains(where: { $0.id == invitation?.id }) { invitation = nil }
    } catch {
      guard !Task.isCancelled else { return }
      refreshError = error.asAppError
    }
  }

  // MARK: - Requests by the user

  /// Changes the role of a member, on this device at once.
  /// - Returns: `false` if this account may not do it, with the reason in ``error(of:)``.
  @discardableResult
  public func setRole(_ role: Role, of member: UUID) async -> Bool {
    await change(.role(of: member)) { try await $0.setRole(role, of: member, in: scope) }
  }

  /// Adds an account with which the user shares another scope; see ``knownAccounts``.
  /// - Returns: `false` if this account may not do it, with the reason in ``error(of:)``.
  @discardableResult
  public func add(_ account: UUID, as role: Role) async -> Bool {
    await change(.addition) { try await $0.addMember(account, as: role, to: scope) }
  }

  /// Removes a member. The rows are deleted from the member's devices.
  /// - Returns: `false` if this account may not do it, with the reason in ``error(of:)``.
  @discardableResult
  public func remove(_ member: UUID) async -> Bool {
    await change(.removal(of: member)) { try await $0.removeMember(member, from: scope) }
  }

  /// Creates an invitation, available as ``invitation``. Its preview shows the title of the shared row.
  /// - Parameters:
  ///   - uses: the number of accounts that can use the code: 1 to 100.
  ///   - days: the number of days until it expires: 1 to 90.
  ///   - label: a note for the owners, of at most 80 characters.
  /// - Returns: `false` if the request failed, with the reason in ``error(of:)``.
  @discardableResult
  public func invite(
    as role: Role, uses: Int = 1, days: Int = 7, label: String? = nil
  ) async -> Bool {
    (invitation, invitedRole, invitedUses, invitedDays) = (nil, role, uses, days)
    let title = title.data.flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
    return await perform(.invitation) {
      invitation = try await requests.invite(
        to: scope, as: role, uses: uses, days: days, label: label, title: title)
      await fetch()?.value
    }
  }

  /// Withdraws an invitation, whose code is not valid any more then.
  /// - Returns: `false` if the request failed, with the reason in ``error(of:)``.
  @discardableResult
  public func withdraw(_ id: OpenInvitation.ID) async -> Bool {
    await perform(.withdrawal(of: id)) {
      try await requests.withdraw(id, from: scope)
      await fetch()?.value
    }
  }

  /// Leaves the scope, on this device at once.
  /// - Parameter retainingCopy: whether the rows stay on the devices of the account as a read-only copy.
  ///   Otherwise they are removed.
  /// - Returns: `false` if this account may not do it, with the reason in ``error(of:)``.
  @discardableResult
  public func leave(retainingCopy: Bool = true) async -> Bool {
    await change(.leaving) { try await $0.leave(scope, retainingCopy: retainingCopy) }
  }

  private func change(
    _ action: Action, _ body: (SyncedStore) async throws -> Void
  ) async -> Bool {
    await perform(action) {
      do { try await body(sync.store) } catch { throw AppError(saving: error) }
      await liveMembers.catchUp()
      await access.catchUp()
    }
  }

  private func perform(_ action: Action, _ body: () async throws -> Void) async -> Bool {
    failure = nil
    do {
      try await body()
      return true
    } catch {
      failure = (action, error.asAppError)
      return false
    }
  }
}
