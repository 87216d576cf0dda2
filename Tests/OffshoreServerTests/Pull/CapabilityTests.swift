import OffshoreWire
import Testing

@testable import OffshoreServer

/// Devices with fewer capabilities than the server, or more.
struct CapabilityTests {
  private var server: TestServer
  private let cursor: PullCursor

  init() throws {
    server = try TestServer()
    cursor = PullCursor(
      try Lists.scope(), epoch: 7, position: .changes(after: 0), acknowledged: 0,
      wantsRangeDigests: true)
    _ = try server.push(1, [.list(at: 1), .task("a", at: 900)])
    _ = try server.push(1, [.edit("a", ["title": "late"], at: 9, by: 2)], device: 2)
  }

  private func page(_ capabilities: Capabilities) throws -> ScopePage? {
    try server.pull([cursor], capabilities: capabilities).scopes.first?.content.page
  }

  @Test(arguments: [0, 1, 2, 3, 1 << 63, .max] as [UInt64])
  func `An answer has the capabilities that the device and the server share`(bits: UInt64) throws {
    let response = try server.pull([cursor], capabilities: Capabilities(rawValue: bits))
    #expect(response.capabilities == Capabilities(rawValue: bits & 3))
  }

  @Test func `A device with all capabilities receives everything`() throws {
    let page = try page(.all)
    #expect(page?.conflicts.count == 1)
    #expect(page?.rangeDigests != nil)
  }

  @Test func `A device without conflict support gets no conflicts, and its page is not full`()
    throws
  {
    let page = try page(.repair)
    #expect(page?.conflicts == [])
    #expect(page?.rangeDigests != nil)
    #expect(page?.isFull == false)
  }

  @Test func `A device without repair support receives no range digests`() throws {
    let page = try page(.conflicts)
    #expect(page?.rangeDigests == nil)
    #expect(page?.conflicts.count == 1)
  }
}
