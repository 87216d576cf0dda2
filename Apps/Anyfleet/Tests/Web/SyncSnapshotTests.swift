import Anyfleet
import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import Testing

/// Snapshots of the pages about an account, pending changes and refused changes.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SyncSnapshotTests {
  private let fleet: SyncedFleet

  init() async throws { fleet = try SyncedFleet() }

  /// Creates the pages of a phone with a server; dates and ids are the same in each run.
  private func pages() async throws -> Pages {
    let url = fleet.url
    return try await Pages { environment in
      SampleFleet.surround(&environment)
      environment.server = url
    }
  }

  private func expect(_ response: Response, region: String, _ name: String) throws {
    // The ids and the times of sign-ins are different in each run, and the name of the machine may be.
    let found = try PageSnapshotTests.region(region, of: response.text)
      .replacing(/device-[0-9a-f]{64}/, with: "device-ID")
      .replacing(/Signed in since [^<]*/, with: "Signed in since TIME")
      .replacing(ProcessInfo.processInfo.hostName, with: "MACHINE")
    try HTMLSnapshot(name: "\(name).en").expect(found)
  }

  @Test
  func `Forms of an account, and their errors`() async throws {
    let pages = try await pages()
    try expect(
      await pages.get("/profile/account"), region: "account", "account-sign-in")
    let refused = await pages.post(
      "/profile/account?new=true", ["action": "sign-up", "name": "Ivo <mate>", "password": "short"])
    try expect(refused, region: "account", "account-sign-up-refused")
    try await pages.dependencies.session.signUp(name: "skipper", password: "correct horse")
    try expect(
      await pages.get("/profile/account"), region: "account", "account-signed-in")
    try await pages.dependencies.session.signOut()
    try expect(
      await pages.get("/profile/account"), region: "account", "account-signed-out")
    await fleet.end(pages.dependencies)
  }

  @Test
  func `Pending changes and refused changes`() async throws {
    let pages = try await pages()
    _ = try await SampleFleet(in: pages.dependencies)
    // Nothing is sent before syncing starts.
    try await pages.dependencies.session.signUp(name: "skipper", password: "correct horse")
    try await pages.dependencies.database.database.write {
      _ = try SQL(
        """
        INSERT INTO _dead (at, tbl, id, code, message) VALUES
          (1803924000000, 'charters', 'gone', 'gone', ''),
          (1803924000000, 'checklists', 'large', 'tooLarge', '')
        """
      ).run($0)
    }
    let page = await pages.get("/profile/sync")
    try expect(page, region: "unsent", "sync-unsent")
    try expect(page, region: "refused", "sync-refused")
    await fleet.end(pages.dependencies)
  }
}
