import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A rule that a schedule breaks on purpose, to show that the invariants notice.
public enum Breach: String, CaseIterable, Sendable {
  case none

  func adapt(_ profile: inout Profile) {}
  func beforePush(_ request: PushRequest, at now: Int64, _ server: inout SimulatedServer) throws {}
  func afterPush(
    _ request: PushRequest, _ response: inout PushResponse,
    _ heads: [(scope: ScopeID, head: Int64)], _ server: inout SimulatedServer
  ) throws {}
  func log(for request: PullRequest, _ server: SimulatedServer) -> MemoryState? { nil }
  func afterPull(
    _ request: PullRequest, _ response: inout PullResponse, _ server: SimulatedServer
  ) {}
  func parts(of response: PullResponse) -> [PullResponse]? { nil }
  func beforePush(_ device: SimulatedDevice) throws {}
  func afterTaking(_ response: PushResponse, _ device: SimulatedDevice) throws {}
  func afterTaking(
    _ response: PullResponse, _ device: SimulatedDevice, _ report: PullReport
  ) throws {}
  func beforeWork(_ device: SimulatedDevice) throws {}
  func afterWork(_ device: SimulatedDevice) throws {}
}
