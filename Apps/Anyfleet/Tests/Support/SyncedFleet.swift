package import Anyfleet
package import Foundation
import Offshore
import OffshorePresentation
package import OffshoreServer
import OffshoreSync
package import ServerSupport

/// A real server on this machine, and apps that sync with it.
@MainActor
package final class SyncedFleet {
  package let server: LoopbackServer

  /// - Parameter opensSignUp: Whether accounts can be created over the network.
  package init(opensSignUp: Bool = true) throws {
    server = try LoopbackServer(AppSchema.manifest(), opensSignUp: opensSignUp)
  }

  package var url: URL { server.url }
  package var log: any ServerStorage { server.storage }

  /// Creates an app that was just started for the first time.
  package func makeApp(
    _ change: (inout AppDependencies.Environment) -> Void = { _ in }
  ) async throws -> AppDependencies {
    let url = url
    return try await .makeForTesting {
      $0.server = url
      change(&$0)
    }
  }

  /// Creates an app that is signed in; the first one of a name signs up.
  package func makeApp(
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
  package func end(_ apps: AppDependencies...) async {
    for app in apps { await app.sync.stop() }
    await server.stop()
  }
}

extension AppDependencies {
  package var local: LocalRepository { LocalRepository(database: database) }

  /// Waits until the server has acknowledged all changes.
  package func waitUntilSent() async throws {
    let values = database.database.values { [replica = database.replica] in
      try replica.status($0)
    }
    for try await status in values where status.pending == 0 { return }
  }

  /// Waits until a charter has arrived, or meets a condition.
  package func waitForCharter(
    _ id: UUID, _ isMet: (CharterModel) -> Bool = { _ in true }
  ) async throws -> CharterModel? {
    for try await charter in local.charter(id: id) {
      if let charter, isMet(charter) { return charter }
    }
    return nil
  }

  /// Waits until the progress of a checklist meets a condition.
  package func waitForState(
    _ checklistID: UUID, _ charterID: UUID, _ isMet: (ChecklistExecutionState) -> Bool
  ) async throws -> ChecklistExecutionState? {
    for try await states in local.executionStates(charterID: charterID) {
      let state = states.states.first { $0.checklistID == checklistID }
      if let state, isMet(state) { return state }
    }
    return nil
  }
}
