public import Foundation
public import Observation
public import OffshorePresentation

/// Taking part in somebody else's charter by a code.
@MainActor @Observable
public final class JoinCharterViewModel {
  /// What was entered.
  public var code = ""
  /// Why the code lets nobody in, where it does not; for the field.
  public private(set) var codeError: AppError?
  /// Why the code could not be tried, where that had other reasons.
  public private(set) var error: AppError?
  /// Whether a code is being tried, or the charter is on its way.
  public private(set) var isJoining = false
  /// Whether the account takes part, and its charter is slow to come.
  public var isLate: Bool { joinedID != nil && arrived == nil && !isJoining }
  /// The charter in which the account takes part since, once it is here.
  public var arrived: CharterModel? { liveCharter?.state.data.flatMap(\.self) }
  /// Whether there is a server to ask.
  public var hasServer: Bool { sharing.hasServer }
  /// Whether somebody is signed in here, as taking part needs.
  public var isSignedIn: Bool { sharing.session.isSignedIn }

  private var joinedID: UUID?
  private var liveCharter: Live<CharterModel?>?
  private let sharing: CharterSharing
  private let charterStore: CharterStore
  private let patience: Duration

  /// - Parameter patience: how long to wait for a charter before saying that it takes long.
  init(
    sharing: CharterSharing, charterStore: CharterStore, patience: Duration = .seconds(10)
  ) {
    self.sharing = sharing
    self.charterStore = charterStore
    self.patience = patience
  }

  /// Takes part by the code that was entered, and waits for the charter.
  ///
  /// Where that takes long, ``isLate`` says so, and the charter is followed further.
  ///
  /// - Returns: the charter's id once it is here; `nil` where it is late, or why is said by
  ///   ``codeError`` and ``error``.
  public func join() async -> UUID? {
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
      let id = try await sharing.join(by: code)
      return await arrival(of: id) ? id : nil
    } catch {
      take(error.asAppError)
      return nil
    }
  }

  private func take(_ error: AppError) {
    if error == .auth(.invalidInvitation) { codeError = error } else { self.error = error }
  }

  private func arrival(of id: UUID) async -> Bool {
    let live = charterStore.liveCharter(id)
    (joinedID, liveCharter) = (id, live)
    await live.load()
    let arriving = Task {
      for await charter in Observations({ live.state.data.flatMap(\.self) })
      where charter != nil { return }
    }
    defer { arriving.cancel() }
    return await wait(for: arriving, atMost: patience, by: sharing.sleep)
  }
}
