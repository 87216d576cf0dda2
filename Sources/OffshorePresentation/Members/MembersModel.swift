public import Foundation
public import Observation
public import OffshoreSync
public import OffshoreWire

/// The members of a scope and the invitations to it.
///
/// Only the server knows the members, so they are requested each time; the user's own role is known here.
@MainActor @Observable
public final class MembersModel {
  /// Whether the scope can have other members.
  public enum Sharing: Equatable, Sendable {
    /// The app was started without a server.
    case noServer
    /// The device is signed out.
    case signedOut
    /// The server does not have the scope yet.
    case unsent
    /// The account is a member, in a role.
    case shared(Role)
  }

  /// A request of the user.
  public enum Action: Hashable, Sendable {
    /// Giving a member another role.
    case role(of: UUID)
    /// Ending the membership of another account.
    case removal(of: UUID)
    /// Inviting another account.
    case invitation
    /// Withdrawing an invitation.
    case withdrawal(of: OpenInvitation.ID)
    /// Ending the user's own membership.
    case leaving
  }

  /// The scope.
  public let scope: ScopeID
  /// The members, as the server last named them.
  public private(set) var members = ViewState<[ScopeMember]>.idle
  /// Why the members may be out of date, if they may.
  public private(set) var refreshError: AppError?
  /// The latest invitation that was made by this model, until it is accepted or withdrawn. Its code is shown
  /// once.
  public private(set) var invitation: ScopeInvitation?
  /// The invitations that are not accepted yet, for an owner, as the server last named them.
  public private(set) var openInvitations: [OpenInvitation] = []
  /// The role of the latest invitation.
  public private(set) var invitedRole = Role.editor
  /// Why the latest request of the user failed, if it did.
  public private(set) var failure: (action: Action, error: AppError)?

  private let access: ScopeAccess
  private let requests: MemberRequests
  private let liveTitle: Live<String?>
  @ObservationIgnored private var fetching: Task<Void, Never>?
  /// The cause of the latest request.
  @ObservationIgnored private var lastCause: Cause?

  /// The time that ``load()`` waits for the server.
  private static let patience = Duration.seconds(2)
  /// The time that ``leave()`` waits until this device knows.
  private static let longestLeaving = Duration.seconds(5)

  /// Creates a model. Nothing is read before ``load()``.
  public init(_ scope: ScopeID, _ sync: SyncService) {
    self.scope = scope
    access = sync.access(to: scope)
    requests = MemberRequests(sync: sync)
    liveTitle = sync.liveTitle(of: scope)
  }

  private var sync: SyncService { requests.sync }

  // MARK: - State

  /// The title of the shared row; an error if the row is not on this device.
  public var title: ViewState<String> {
    liveTitle.state.flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }

  /// Whether the scope can have other members.
  public var sharing: Sharing {
    if !requests.hasServer { return .noServer }
    if access.role == .left { return .shared(.left) }
    if !sync.session.isSignedIn { return .signedOut }
    return access.role.map { .shared($0) } ?? .unsent
  }

  /// Whether this account may invite others and grant roles.
  public var canManage: Bool { sharing == .shared(.owner) }

  /// Whether this account can leave: the last owner cannot.
  public var canLeave: Bool {
    guard case .shared(let role) = sharing, role.canRead else { return false }
    let others = members.data?.filter { !isOwn($0) } ?? []
    return role != .owner || others.contains { $0.role == .owner }
  }

  /// Whether a member is the user.
  public func isOwn(_ member: ScopeMember) -> Bool { member.id == sync.session.userID }

  /// Why the latest request of the user failed, if it was this one.
  public func error(of action: Action) -> AppError? {
    failure?.action == action ? failure?.error : nil
  }

  // MARK: - Reading

  /// Reads the title and the user's role, and requests the members.
  ///
  /// It returns after a moment even if the server has not answered; the members are shown when it has.
  public func load() async {
    async let title: Void = liveTitle.load()
    async let role: Void = access.load()
    _ = await (title, role)
    guard let fetching = fetch() else { return }
    _ = await wait(for: fetching, atMost: Self.patience, by: sync.sleep)
  }

  /// Requests the members again after each change of the user's role, and after each hint that members have
  /// changed, until the task is cancelled.
  public func follow() async {
    let causes = Observations { [weak self] in self?.cause }
    for await cause in causes where cause != lastCause {
      lastCause = cause
      _ = fetch()
    }
  }

  /// A reason to request the members again if it changes.
  private struct Cause: Equatable {
    let role: Role?
    let changes: UInt64
  }

  private var cause: Cause { Cause(role: access.role, changes: sync.membershipChanges) }

  private func fetch() -> Task<Void, Never>? {
    guard case .shared(let role) = sharing, role.canRead else { return nil }
    fetching?.cancel()
    lastCause = cause
    if !members.isKnown { members = .loading }
    let task = Task { await fetchOnce() }
    fetching = task
    return task
  }

  private func fetchOnce() async {
    do {
      let found = try await requests.members(of: scope)
      let invitations = canManage ? try await requests.invitations(to: scope) : []
      guard !Task.isCancelled else { return }
      (members, refreshError, openInvitations) = (.loaded(found), nil, invitations)
      if !invitations.contains(where: { $0.id == invitation?.id }) { invitation = nil }
    } catch {
      guard !Task.isCancelled else { return }
      if members.isKnown {
        refreshError = error.asAppError
      } else {
        members = .error(error.asAppError)
      }
    }
  }

  // MARK: - Requests of the user

  /// Gives a member another role.
  /// - Returns: whether the member has it; if not, ``error(of:)`` says why.
  @discardableResult
  public func setRole(_ role: Role, of member: UUID) async -> Bool {
    await perform(.role(of: member)) {
      try await requests.setRole(role, of: member, in: scope)
      await fetch()?.value
    }
  }

  /// Ends a membership: the rows leave the member's devices.
  /// - Returns: whether it has ended; if not, ``error(of:)`` says why.
  @discardableResult
  public func remove(_ member: UUID) async -> Bool {
    await perform(.removal(of: member)) {
      try await requests.remove(member, from: scope)
      await fetch()?.value
    }
  }

  /// Makes an ``invitation``.
  /// - Returns: whether there is one; if not, ``error(of:)`` says why.
  @discardableResult
  public func invite(as role: Role) async -> Bool {
    (invitation, invitedRole) = (nil, role)
    return await perform(.invitation) {
      invitation = try await requests.invite(to: scope, as: role)
      await fetch()?.value
    }
  }

  /// Withdraws an invitation, so that its code is not valid any more.
  /// - Returns: whether it is withdrawn; if not, ``error(of:)`` says why.
  @discardableResult
  public func withdraw(_ id: OpenInvitation.ID) async -> Bool {
    await perform(.withdrawal(of: id)) {
      try await requests.withdraw(id, from: scope)
      await fetch()?.value
    }
  }

  /// Ends the user's membership. The rows stay on this device as a copy, to read.
  /// - Returns: whether it has ended; if not, ``error(of:)`` says why.
  @discardableResult
  public func leave() async -> Bool {
    await perform(.leaving) {
      try await requests.remove(sync.session.userID, from: scope)
      let leaving = Task { [access] in
        for await role in Observations({ access.role }) where role?.canRead == false { return }
      }
      _ = await wait(for: leaving, atMost: Self.longestLeaving, by: sync.sleep)
      leaving.cancel()
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
