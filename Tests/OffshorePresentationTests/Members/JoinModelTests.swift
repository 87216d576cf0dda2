import Foundation
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// Joining a scope by a code, on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct JoinModelTests {
  @Test func `An invalid code is a problem of the field`() async throws {
    let server = try LoopbackServer()
    let device = try await server.device(of: "mate")
    let joining = JoinModel(device)
    #expect(await joining.join() == nil)
    #expect(joining.codeError == .validation(.missingRequiredFields))
    joining.code = "no code"
    #expect(await joining.join() == nil)
    #expect(joining.codeError == .auth(.invalidInvitation) && joining.error == nil)
    #expect(joining.code == "no code" && !joining.isJoining && !joining.isLate)
    try await device.setAirplane(true)
    #expect(await joining.join() == nil)
    #expect(joining.codeError == nil && joining.error == .network(.offline))
    #expect(joining.hasFailedToJoin)
    #expect(await !joining.lookUp())
    #expect(joining.error == .network(.offline) && !joining.hasFailedToJoin)
    await server.end(device)
  }

  @Test func `A device that is signed out cannot join`() async throws {
    let server = try LoopbackServer()
    let device = try await server.device()
    let joining = JoinModel(device)
    joining.code = "code"
    #expect(joining.hasServer && !joining.isSignedIn)
    #expect(await joining.join() == nil)
    #expect(joining.error == .auth(.notSignedIn))
    await server.end(device)
  }

  @Test func `A slow preview does not hold up the page, and its error is that of its code only`()
    async throws
  {
    let server = try LoopbackServer()
    // No delay takes any time on this device.
    let mate = try await server.device(sleep: { _ in })
    try await mate.signUp(name: "mate", password: "correct horse")
    let joining = JoinModel(mate)
    joining.code = "wrong"
    server.gate.close()
    await joining.beginLookUp()
    #expect(joining.isLookingUp && joining.preview == nil && joining.codeError == nil)
    joining.code = "other"
    server.gate.open()
    await waitUntil { !joining.isLookingUp }
    #expect(joining.codeError == nil && joining.error == nil)
    await joining.beginLookUp()
    await waitUntil { !joining.isLookingUp }
    #expect(joining.codeError == .auth(.invalidInvitation))
    await server.end(mate)
  }

  @Test func `Rows that arrive late are shown when they arrive`() async throws {
    let server = try LoopbackServer()
    let skipper = try await server.device(of: "skipper")
    // No delay takes any time on this device.
    let mate = try await server.device(sleep: { _ in })
    try await mate.signUp(name: "mate", password: "correct horse")
    let scope = try await skipper.store.addTrip("Kornati").scope
    await skipper.waitForRole(.owner, in: scope)
    let members = MembersModel(scope, skipper)
    await members.load()
    #expect(await members.invite(as: .viewer))
    // Nothing is pulled while syncing is stopped.
    await mate.stop()
    let joining = JoinModel(mate, timeout: .milliseconds(1))
    // A copied code may contain line breaks.
    let code = try #require(members.invitation?.code)
    joining.code = " \(code.prefix(20))\n\(code.dropFirst(20)) "
    #expect(await joining.join() == nil)
    #expect(joining.isLate && joining.codeError == nil && joining.error == nil)
    #expect(joining.isArriving && joining.arrivalError == nil)
    try await mate.setAirplane(true)
    #expect(joining.isArriving && joining.arrivalError == .network(.offline))
    try await mate.setAirplane(false)
    await waitUntil { joining.title == "Kornati" }
    #expect(!joining.isLate && !joining.isArriving && joining.scope == scope)
    await server.end(skipper, mate)
  }
}
