import Foundation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// The list of the devices of an account, on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct DevicesModelTests {
  @Test func `The list has this device first, and signs another one out`() async throws {
    let server = try LoopbackServer()
    let first = try await server.device(of: "skipper")
    let second = try await server.device(of: "skipper")
    let model = DevicesModel(second)
    #expect(model.devices.isIdle)
    await model.load()
    let devices = try #require(model.devices.data)
    #expect(devices.map(\.isCurrent) == [true, false])
    #expect(await model.signOut(devices[1].id))
    #expect(model.devices.data?.map(\.id) == [devices[0].id])
    await first.syncNow()
    await waitUntil { first.connection == .expired }
    #expect(await model.signOut(devices[1].id), "It is signed out already.")
    #expect(model.devices.data?.map(\.id) == [devices[0].id] && second.session.isSignedIn)
    await server.end(first, second)
  }

  @Test func `A device that is not signed in has no list, until it signs in`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device()
    let model = DevicesModel(sync)
    await model.load()
    #expect(model.devices.isIdle)
    let observing = Task { await model.observeChanges() }
    try await sync.signUp(name: "skipper", password: "correct horse")
    await waitUntil { model.devices.data?.count == 1 }
    try await sync.signOut()
    await waitUntil { model.devices.isIdle }
    observing.cancel()
    await observing.value
    await server.end(sync)
  }

  @Test func `An unreachable server is the error of the list, and of a device`() async throws {
    let server = try LoopbackServer()
    let first = try await server.device(of: "skipper")
    let second = try await server.device(of: "skipper")
    let model = DevicesModel(second)
    await model.load()
    let other = try #require(model.devices.data?.last)
    try await second.setAirplane(true)
    #expect(await !model.signOut(other.id))
    #expect(model.error(of: other.id) == .network(.offline) && model.error(of: "x") == nil)
    #expect(model.devices.data?.count == 2)
    await model.load()
    #expect(model.devices.errorValue == .network(.offline))
    try await second.setAirplane(false)
    #expect(await model.signOut(other.id))
    #expect(model.error(of: other.id) == nil && model.devices.data?.count == 1)
    await server.end(first, second)
  }

  @Test func `The page does not wait for a server that does not answer`() async throws {
    let server = try LoopbackServer()
    // No delay takes any time on this device.
    let sync = try await server.device(sleep: { _ in })
    try await sync.signUp(name: "skipper", password: "correct horse")
    await sync.stop()
    server.gate.close()
    let model = DevicesModel(sync)
    await model.load()
    #expect(model.devices.isLoading)
    server.gate.open()
    await waitUntil { model.devices.data?.count == 1 }
    await server.end(sync)
  }
}
