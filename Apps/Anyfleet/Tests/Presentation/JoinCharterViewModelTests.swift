import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Taking part by a code, of a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct JoinCharterViewModelTests {
  @Test func `A code that lets nobody in is told at the field`() async throws {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "mate")
    let joining = app.makeJoinCharter()
    #expect(await joining.join() == nil)
    #expect(joining.codeError == .validation(.missingRequiredFields))
    joining.code = "no code"
    #expect(await joining.join() == nil)
    #expect(joining.codeError == .auth(.invalidInvitation) && joining.error == nil)
    #expect(joining.code == "no code" && !joining.isJoining && !joining.isLate)
    try await app.sync.setAirplane(true)
    #expect(await joining.join() == nil)
    #expect(joining.codeError == nil && joining.error == .network(.offline))
    await fleet.end(app)
  }

  @Test func `Signed out nobody can join`() async throws {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp()
    let joining = app.makeJoinCharter()
    joining.code = "code"
    #expect(joining.hasServer && !joining.isSignedIn)
    #expect(await joining.join() == nil)
    #expect(joining.error == .auth(.notSignedIn))
    await fleet.end(app)
  }

  @Test func `A charter that takes long is said to, and shows when it comes`() async throws {
    let fleet = try SyncedFleet()
    let skipper = try await fleet.makeApp(of: "skipper")
    let mate = try await fleet.makeApp(of: "mate")
    let (charter, _) = try await skipper.makeCharter()
    try await skipper.waitForRole(.owner, in: charter.id)
    let crew = skipper.makeCrew(charter.id)
    await crew.load()
    #expect(await crew.invite(as: .viewer))
    // Nothing is pulled while nothing syncs.
    await mate.sync.stop()
    let joining = mate.makeJoinCharter(patience: .milliseconds(1))
    // A code that was copied may be broken into lines.
    let code = try #require(crew.invitation?.code)
    joining.code = " \(code.prefix(20))\n\(code.dropFirst(20)) "
    #expect(await joining.join() == nil)
    #expect(joining.isLate && joining.codeError == nil && joining.error == nil)
    await mate.sync.start()
    await until { joining.arrived?.id == charter.id }
    #expect(!joining.isLate)
    await fleet.end(skipper, mate)
  }
}
