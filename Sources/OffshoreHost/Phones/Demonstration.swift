import Observation
package import Offshore
import OffshorePresentation
import OffshoreSync
package import OffshoreWire

/// The sample content of an app, for a demonstration on two devices side by side.
///
/// The first device creates the content and invites the second one, which joins by the code of the
/// invitation.
@MainActor package protocol Demonstration {
  /// The rows that the dock reports on, or `nil` for none. The dock reports on the first app that has some.
  var reported: ReportedRows? { get }

  /// Creates the content if there is none.
  func createContent() async throws

  /// Returns the scope of the content, or `nil` if the content is not on this device.
  func scope() async throws -> ScopeID?

  /// Completes joining, once the content is on this device; does nothing by default.
  func didJoin() async throws

  /// Returns the address of the page to show first, relative to the app's path, or `nil` for the
  /// first page. A device of several apps shows the first of these pages. It is `nil` by default.
  func firstAddress() async throws -> String?
}

extension Demonstration {
  package var reported: ReportedRows? { nil }
  package func didJoin() async throws {}
  package func firstAddress() async throws -> String? { nil }
}

/// The rows of sample content from which a dock infers actions of the user.
package struct ReportedRows: Sendable {
  /// The table whose changes are timed from one device to the other.
  let timedTable: String
  /// Returns the names of the items that are ticked. An item has the same name on each device.
  let tickedItems: @Sendable (Reader) throws -> Set<String>
  /// The column of texts that the user is asked to write on both devices at once.
  let textColumn: (table: String, column: String)

  /// Creates the names of the rows.
  package init(
    timedTable: String, textColumn: (table: String, column: String),
    tickedItems: @escaping @Sendable (Reader) throws -> Set<String>
  ) {
    self.timedTable = timedTable
    self.textColumn = textColumn
    self.tickedItems = tickedItems
  }
}

/// The preparation of a phone's sample content: creating it and inviting the other phone, or
/// joining it.
@MainActor
struct DemonstrationSetup {
  let apps: [RunningApp]
  let settings: PhoneSettings
  /// The maximum time to wait for the server in each step.
  var timeout = Duration.seconds(5)
  /// Suspends for a duration.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Sends a message to the dock.
  let send: (PhoneMessage) -> Void
  /// Reports an error that does not prevent the start of the phone.
  let report: (any Error, RunningApp) -> Void

  /// Prepares all apps, and returns the path of the page to show first.
  /// - Throws: the errors of a ``Demonstration``.
  func run() async throws -> String {
    var pages: [String] = []
    for app in apps {
      guard let demonstration = app.openApp.demonstration else { continue }
      if settings.createsSample { try await demonstration.createContent() }
      if !settings.createsSample, await join(demonstration, app) {
        send(.joined(app: app.app.name))
      }
      if settings.invitingApps.contains(app.app.name),
        let code = await invitation(to: demonstration, app)
      {
        send(.invitation(app: app.app.name, code: code))
      }
      if let address = try await demonstration.firstAddress() {
        pages.append(app.app.path + address)
      }
    }
    return pages.first ?? "/"
  }

  /// Joins by a code, if there is one and the account is not a member already.
  /// - Returns: whether the phone needs no further invitation.
  private func join(_ demonstration: any Demonstration, _ app: RunningApp) async -> Bool {
    // A folder of an earlier version has another account, which is not invited.
    if let account = app.sync.session.account, account.name != settings.account { return true }
    do {
      if try await isMember(app) { return true }
      guard let code = settings.invitations[app.app.name] else { return false }
      let model = JoinModel(app.sync, timeout: timeout)
      model.code = code
      if await model.join() != nil {
        try await demonstration.didJoin()
        return true
      }
      if let error = model.codeError ?? model.error { throw error }
    } catch {
      report(error, app)
    }
    return false
  }

  private func isMember(_ app: RunningApp) async throws -> Bool {
    try await app.store.read { [store = app.store] in try !store.joinedScopes($0).isEmpty }
  }

  /// Creates an invitation to the content, if the account is its only member.
  ///
  /// Returns `nil` if the server does not answer in time, because the phone also works without it.
  private func invitation(
    to demonstration: any Demonstration, _ app: RunningApp
  ) async -> String? {
    guard let scope = try? await demonstration.scope() else { return nil }
    let model = MembersModel(scope, app.sync)
    await model.load()
    let granting = Task {
      // The members arrive with the rows of the scope, after the role.
      let states = Observations { model.canManage && model.members.isKnown }
      for await canInvite in states where canInvite { return }
    }
    let isGranted = await wait(for: granting, atMost: timeout, by: sleep)
    granting.cancel()
    guard isGranted else { return nil }
    guard model.members.data?.count == 1, await model.invite(as: .editor) else { return nil }
    return model.invitation?.code
  }
}
