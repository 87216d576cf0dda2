import Foundation
public import Observation
public import OffshoreWire

/// Becoming a member of a scope by the code of an invitation.
@MainActor @Observable
public final class JoinModel {
  /// The code that was entered.
  public var code = ""
  /// The problem of the code.
  public private(set) var codeError: AppError?
  /// Why the code could not be tried.
  public private(set) var error: AppError?
  /// Whether a code is being tried, or the rows are about to arrive.
  public private(set) var isJoining = false
  /// The scope of which the account is a member now, of whichever kind the invitation was.
  public private(set) var scope: ScopeID?
  /// Whether the account is a member, and the rows are slow to arrive.
  public var isLate: Bool { scope != nil && title == nil && !isJoining }
  /// The title of the shared row, once it is on this device; empty if its table has no title.
  public var title: String? { liveTitle?.state.data.flatMap(\.self) }
  /// Whether there is a server.
  public var hasServer: Bool { requests.hasServer }
  /// Whether this device is signed in, as joining needs.
  public var isSignedIn: Bool { requests.sync.session.isSignedIn }

  private var liveTitle: Live<String?>?
  private let requests: MemberRequests
  private let patience: Duration

  /// Creates a model.
  /// - Parameter patience: the time to wait for the rows before ``isLate`` is set.
  public init(_ sync: SyncService, patience: Duration = .seconds(10)) {
    requests = MemberRequests(sync: sync)
    self.patience = patience
  }

  /// Joins by the code that was entered, and waits for the rows.
  ///
  /// If that takes long, ``isLate`` is set, and the rows are awaited further.
  ///
  /// - Returns: the scope once its row is on this device; `nil` if it is late, or failed because of
  ///   ``codeError`` or ``error``.
  public func join() async -> ScopeID? {
    guard !isJoining else { return nil }
    (codeError, error) = (nil, nil)
    // A code that was copied may be broken into lines.
    let code = code.filter { !$0.isWhitespace }
    guard !code.isEmpty else {
      codeError = .validation(.missingRequiredFields)
      return nil
    }
    isJoining = true
    defer { isJoining = false }
    do {
      let scope = try await requests.join(by: code)
      return await arrival(of: scope) ? scope : nil
    } catch {
      show(error.asAppError)
      return nil
    }
  }

  private func show(_ error: AppError) {
    if error == .auth(.invalidInvitation) { codeError = error } else { self.error = error }
  }

  private func arrival(of scope: ScopeID) async -> Bool {
    let live = requests.sync.liveTitle(of: scope)
    (self.scope, liveTitle) = (scope, live)
    await live.load()
    let arriving = Task {
      for await title in Observations({ live.state.data.flatMap(\.self) }) where title != nil {
        return
      }
    }
    defer { arriving.cancel() }
    return await wait(for: arriving, atMost: patience, by: requests.sync.sleep)
  }
}
