import Foundation
import Offshore
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import ServerSupport

@testable import Anyfleet

/// A real server on this machine, and apps that sync with it.
@MainActor
final class SyncedFleet {
  let server: LoopbackServer

  /// - Parameter opensSignUp: whether accounts can be made over the network.
  init(opensSignUp: Bool = true) throws {
    server = try LoopbackServer(AppSchema.manifest(), opensSignUp: opensSignUp)
  }

  var url: URL { server.url }
  var log: SQLiteChangeLog { server.log }

  /// An app that has just been started for the first time.
  func makeApp(
    _ change: (inout AppDependencies.Environment) -> Void = { _ in }
  ) async throws -> AppDependencies {
    let url = url
    return try await .makeForTesting {
      $0.server = url
      change(&$0)
    }
  }

  /// An app that is signed in: the first of a name signs up.
  func makeApp(
    of name: String, _ change: (inout AppDependencies.Environment) -> Void = { _ in }
  ) async throws -> AppDependencies {
    let app = try await makeApp(change)
    do {
      try await app.session.signUp(name: name, password: "correct horse")
    } catch AppError.auth(.nameTaken) {
      try await app.session.signIn(name: name, password: "correct horse")
    }
    await app.sync.start()
    return app
  }

  /// Ends the apps and the server.
  func end(_ apps: AppDependencies...) async {
    for app in apps { await app.sync.stop() }
    await server.stop()
  }
}

extension AppDependencies {
  var local: LocalRepository { LocalRepository(database: database) }

  /// Waits until the server has all that was changed here.
  func waitUntilSent() async throws {
    let values = database.database.values { [replica = database.replica] in
      try replica.status($0)
    }
    for try await status in values where status.pending == 0 { return }
  }

  /// Waits until a charter has come, or has changed to what is waited for.
  func waitForCharter(
    _ id: UUID, _ isMet: (CharterModel) -> Bool = { _ in true }
  ) async throws -> CharterModel? {
    for try await charter in local.charter(id: id) {
      if let charter, isMet(charter) { return charter }
    }
    return nil
  }

  /// Waits until the progress of a checklist meets a condition.
  func waitForState(
    _ checklistID: UUID, _ charterID: UUID, _ isMet: (ChecklistExecutionState) -> Bool
  ) async throws -> ChecklistExecutionState? {
    for try await states in local.executionStates(charterID: charterID) {
      let state = states.states.first { $0.checklistID == checklistID }
      if let state, isMet(state) { return state }
    }
    return nil
  }
}
