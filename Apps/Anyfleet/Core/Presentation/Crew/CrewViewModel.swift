public import Foundation
public import Observation
public import OffshorePresentation

/// Who has access to a charter, and letting others in.
///
/// Who takes part is known to the server alone, so it is asked each time; one's own role is known here.
@MainActor @Observable
public final class CrewViewModel {
  /// Whether there can be others with access.
  public enum Sharing: Equatable, Sendable {
    /// The app was told of no server.
    case noServer
    /// Nobody has signed in here.
    case signedOut
    /// The server does not have the charter yet.
    case unsent
    /// This account takes part, in a role.
    case shared(CharterRole)
  }

  /// What can be asked for here.
  public enum Action: Hashable, Sendable {
    /// Giving a member another role.
    case role(of: UUID)
    /// Ending that a member takes part.
    case removal(of: UUID)
    case invitation
    /// Taking an invitation back.
    case withdrawal(of: PendingInvitation.ID)
    case leaving
  }

  public let charterID: UUID
  /// Those with access, as the server last said.
  public private(set) var members = ViewState<[CharterMember]>.idle
  /// Why those who show may be out of date, where they may.
  public private(set) var refreshError: AppError?
  /// The invitation that was made last on this screen. Its code is shown here and nowhere again.
  public private(set) var invitation: CharterInvitation?
  /// The invitations that nobody has accepted yet, for an owner, as the server last said.
  public private(set) var pendingInvitations: [PendingInvitation] = []
  /// As what somebody was to be invited last.
  public private(set) var invitedRole = CharterRole.editor
  /// Why the last thing that was asked for did not happen, where it did not.
  public private(set) var failure: (action: Action, error: AppError)?

  private let access: CharterAccess
  private let sharing: CharterSharing
  private let liveCharter: Live<CharterModel?>
  @ObservationIgnored private var fetching: Task<Void, Never>?

  /// How long a screen waits for the server before it shows that it does.
  private static let patience = Duration.seconds(2)
  /// How long leaving waits until this device has heard of it.
  private static let longestLeaving = Duration.seconds(5)

  init(
    charterID: UUID, charterStore: CharterStore, access: CharterAccess, sharing: CharterSharing
  ) {
    self.charterID = charterID
    self.access = access
    self.sharing = sharing
    liveCharter = charterStore.liveCharter(charterID)
  }

  // MARK: - What there is

  /// The charter; an error where there is none.
  public var charter: ViewState<CharterModel> {
    liveCharter.state.flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }

  /// Whether there can be others with access.
  public var sharingState: Sharing {
    if !sharing.hasServer { return .noServer }
    if access.role == .left { return .shared(.left) }
    if !sharing.session.isSignedIn { return .signedOut }
    return access.role.map { .shared($0) } ?? .unsent
  }

  /// Whether this account may let others in, and say what they may do.
  public var canManage: Bool { sharingState == .shared(.owner) }

  /// Whether this account can leave: somebody has to stay who owns the charter.
  public var canLeave: Bool {
    guard case .shared(let role) = sharingState, role != .left, role != .revoked else {
      return false
    }
    let others = members.data?.filter { !isOwn($0) } ?? []
    return role != .owner || others.contains { $0.role == .owner }
  }

  /// Whether a member is who uses this device.
  public func isOwn(_ member: CharterMember) -> Bool { member.id == sharing.session.userID }

  /// Why something that was asked for last did not happen, where it did not.
  public func error(of action: Action) -> AppError? {
    failure?.action == action ? failure?.error : nil
  }

  // MARK: - Reading

  /// Reads the charter and one's own role, and asks the server who else there is.
  ///
  /// It returns after a moment also where the server has not answered; who takes part shows then when
  /// it does.
  public func load() async {
    async let charter: Void = liveCharter.load()
    async let role: Void = access.load()
    _ = await (charter, role)
    guard let fetching = fetch() else { return }
    _ = await wait(for: fetching, atMost: Self.patience, by: sharing.sleep)
  }

  /// Asks the server again whenever one's own role changes, until the task is cancelled.
  public func follow() async {
    let roles = Observations { [access] in access.role }
    var last = access.role
    for await role in roles where role != last {
      last = role
      _ = fetch()
    }
  }

  private func fetch() -> Task<Void, Never>? {
    guard case .shared(let role) = sharingState, role.canEdit || role == .viewer else {
      return nil
    }
    fetching?.cancel()
    if !members.isKnown { members = .loading }
    let task = Task { await fetchOnce() }
    fetching = task
    return task
  }

  private func fetchOnce() async {
    do {
      let found = try await sharing.members(of: charterID)
      let invitations = canManage ? try await sharing.invitations(to: charterID) : []
      guard !Task.isCancelled else { return }
      (members, refreshError, pendingInvitations) = (.loaded(found), nil, invitations)
    } catch {
      guard !Task.isCancelled else { return }
      if members.isKnown {
        refreshError = error.asAppError
      } else {
        members = .error(error.asAppError)
      }
    }
  }

  // MARK: - Changing

  /// Gives a member another role.
  /// - Returns: whether it has it; if not, ``error(of:)`` says why.
  @discardableResult
  public func setRole(_ role: CharterRole, of member: UUID) async -> Bool {
    await perform(.role(of: member)) {
      try await sharing.setRole(role, of: member, in: charterID)
      await fetch()?.value
    }
  }

  /// Ends that a member takes part: the charter leaves their devices.
  /// - Returns: whether that is so now; if not, ``error(of:)`` says why.
  @discardableResult
  public func remove(_ member: UUID) async -> Bool {
    await perform(.removal(of: member)) {
      try await sharing.remove(member, from: charterID)
      await fetch()?.value
    }
  }

  /// Makes an invitation, which shows as ``invitation``.
  /// - Returns: whether there is one; if not, ``error(of:)`` says why.
  @discardableResult
  public func invite(as role: CharterRole) async -> Bool {
    (invitation, invitedRole) = (nil, role)
    return await perform(.invitation) {
      invitation = try await sharing.invite(to: charterID, as: role)
      await fetch()?.value
    }
  }

  /// Takes an invitation back, so that its code lets nobody in.
  /// - Returns: whether that is so now; if not, ``error(of:)`` says why.
  @discardableResult
  public func withdraw(_ id: PendingInvitation.ID) async -> Bool {
    await perform(.withdrawal(of: id)) {
      try await sharing.withdraw(id, from: charterID)
      await fetch()?.value
    }
  }

  /// Ends that this account takes part. The charter stays on this device as a copy, to look at.
  /// - Returns: whether that is so now; if not, ``error(of:)`` says why.
  @discardableResult
  public func leave() async -> Bool {
    await perform(.leaving) {
      try await sharing.remove(sharing.session.userID, from: charterID)
      let leaving = Task { [access] in
        for await role in Observations({ access.role }) where role == .left || role == .revoked {
          return
        }
      }
      _ = await wait(for: leaving, atMost: Self.longestLeaving, by: sharing.sleep)
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
