import Foundation
public import Observation
public import OffshoreSync
public import OffshoreWire

/// The model of a page on which the user accepts an invitation by its code.
@MainActor @Observable
public final class JoinModel {
  /// The entered code.
  public var code = ""
  /// The error of the code.
  public private(set) var codeError: AppError?
  /// The error of the request, if the code is not its cause.
  public private(set) var error: AppError?
  /// Whether ``error`` is that of ``join()``, rather than that of ``lookUp()``.
  public private(set) var hasFailedToJoin = false
  /// The preview of the invitation with the entered code, after ``lookUp()``.
  public var preview: InvitationPreview? {
    found.flatMap { $0.code == enteredCode ? $0.preview : nil }
  }
  /// Whether the preview of an invitation is being fetched.
  public var isLookingUp: Bool { lookUps > 0 }
  /// Whether a code is being sent, or the rows of the scope are arriving.
  public private(set) var isJoining = false
  /// The scope that the account has joined, of any kind.
  public private(set) var scope: ScopeID?
  /// Whether the account has joined, and the rows have not arrived yet.
  public var isArriving: Bool { scope != nil && title == nil }
  /// The reason why the rows cannot arrive now, while ``isArriving`` is `true`; `nil` if they can.
  public var arrivalError: AppError? { isArriving ? requests.sync.blockingError : nil }
  /// Whether the account has joined, but the rows have not arrived within the timeout.
  public var isLate: Bool { isArriving && !isJoining }
  /// The title of the shared row, once it is on this device; empty if its table has no title.
  public var title: String? { liveTitle?.state.data.flatMap(\.self) }
  /// Whether there is a server.
  public var hasServer: Bool { requests.hasServer }
  /// Whether this device is signed in, which joining requires.
  public var isSignedIn: Bool { requests.sync.session.isSignedIn }

  private var liveTitle: Live<String?>?
  /// The latest preview, and the code that it is of.
  private var found: (code: String, preview: InvitationPreview)?
  /// The number of previews that are being fetched.
  private var lookUps = 0
  private let requests: MemberRequests
  private let timeout: Duration

  /// Creates a model.
  /// - Parameter timeout: the time for which ``join()`` waits for the rows of the scope.
  public init(_ sync: SyncService, timeout: Duration = .seconds(10)) {
    requests = MemberRequests(sync: sync)
    self.timeout = timeout
  }

  /// Fetches the preview of the invitation with the entered code, available as ``preview``.
  /// - Returns: `false` if the request failed, with ``codeError`` or ``error``.
  @discardableResult
  public func lookUp() async -> Bool {
    removeErrors()
    found = nil
    let code = enteredCode
    guard !code.isEmpty else {
      codeError = .validation(.missingRequiredFields)
      return false
    }
    lookUps += 1
    defer { lookUps -= 1 }
    do {
      let preview = try await requests.preview(of: code)
      if code == enteredCode { found = (code, preview) }
      return true
    } catch {
      // The user may have changed the code meanwhile, or sent it.
      if code == enteredCode, !isJoining, scope == nil { show(error.asAppError) }
      return false
    }
  }

  /// Begins to fetch the preview of the invitation with the entered code, and returns after a quarter of
  /// a second at the most. If the preview arrives later, ``preview`` is set then.
  public func beginLookUp() async {
    let fetching = Task { await lookUp() }
    _ = await wait(for: fetching, atMost: .milliseconds(250), by: requests.sync.sleep)
  }

  /// The entered code without the line breaks that a copy may contain.
  private var enteredCode: String { code.filter { !$0.isWhitespace } }

  /// Accepts the invitation with the entered code, and waits for the rows of the scope.
  ///
  /// If they do not arrive within the timeout, ``isLate`` becomes `true`. ``title`` is set when
  /// they arrive later.
  ///
  /// - Returns: the scope once its row is on this device; `nil` if the row is late, or if the
  ///   request failed with ``codeError`` or ``error``.
  public func join() async -> ScopeID? {
    guard !isJoining else { return nil }
    removeErrors()
    let code = enteredCode
    guard !code.isEmpty else {
      codeError = .validation(.missingRequiredFields)
      return nil
    }
    isJoining = true
    defer { isJoining = false }
    do {
      let scope = try await requests.join(by: code)
      return await waitForRows(of: scope) ? scope : nil
    } catch {
      show(error.asAppError)
      hasFailedToJoin = self.error != nil
      return nil
    }
  }

  private func removeErrors() { (codeError, error, hasFailedToJoin) = (nil, nil, false) }

  private func show(_ error: AppError) {
    if error == .auth(.invalidInvitation) { codeError = error } else { self.error = error }
  }

  private func waitForRows(of scope: ScopeID) async -> Bool {
    let live = requests.sync.liveTitle(of: scope)
    (self.scope, liveTitle) = (scope, live)
    await live.load()
    let arriving = Task {
      for await title in Observations({ live.state.data.flatMap(\.self) }) where title != nil {
        return
      }
    }
    defer { arriving.cancel() }
    return await wait(for: arriving, atMost: timeout, by: requests.sync.sleep)
  }
}
