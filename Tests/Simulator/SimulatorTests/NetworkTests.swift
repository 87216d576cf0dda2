import OffshoreWire
import Testing

@testable import OffshoreSimulator

struct NetworkTests {
  private func envelope(_ device: Int) -> Envelope {
    let request = PullRequest(
      device: Samples.device(1), manifestVersion: 1, grantsAfter: 0, cursors: [], limit: 1)
    return Envelope(number: 1, device: device, start: 1, sent: 0, content: .pull(request))
  }

  @Test func `No message is delivered to or from a disconnected device`() {
    var network = Network()
    network.send(envelope(0))
    network.send(envelope(1))
    network.cutOff = [0]
    #expect(network.deliverable == [1])
    network.cutOff = []
    #expect(network.deliverable == [0, 1])
  }

  @Test func `A truncated message is not decoded, and a complete one is`() throws {
    let content = envelope(0).content
    for share in stride(from: 0, to: 100, by: 7) { try content.checkCut(to: share) }
    #expect(throws: Violation.self) { try content.checkCut(to: 100) }
    guard case .pull(let copy) = try content.throughBytes(), case .pull(let request) = content
    else {
      Issue.record("A pull becomes something else.")
      return
    }
    #expect(copy == request)
  }
}
