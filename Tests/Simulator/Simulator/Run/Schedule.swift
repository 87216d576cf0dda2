import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// One run of devices and a server, of which everything follows from a seed.
///
/// Faults happen for a while, then they stop and everybody talks until nothing changes. What does
/// not hold ends the run.
///
/// ```swift
/// let result = Schedule.run(seed: 7, isTraced: true)
/// if let violation = result.violation { print(violation, result.trace) }
/// ```
public final class Schedule {
  let profile: Profile
  let breach: Breach?
  let files: DeviceFiles
  let versions: [AppVersion]
  var random: SeededRandom
  /// The true time.
  var now: Int64 = 1_700_000_000_000
  /// How far the server's clock is ahead of the true time.
  var serverSkew: Int64 = 0
  var server: SimulatedServer
  var network = Network()
  var devices: [SimulatedDevice] = []
  let trace: Trace
  var counters = Counters()
  /// Whether no fault happens, before the first step and after the last.
  var isCalm = false

  /// The most devices that take part, copies included.
  static let deviceLimit = 5

  private init(
    seed: UInt64, _ breach: Breach?, isControl: Bool, isBrief: Bool, isTraced: Bool
  ) throws {
    var random = SeededRandom(seed: seed)
    var profile = Profile(&random, seed: seed)
    if isBrief { profile.shorten() }
    breach?.adapt(&profile)
    self.profile = profile
    self.breach = isControl ? nil : breach
    trace = Trace(isKept: isTraced)
    versions = try Self.allVersions.get()
    files = try DeviceFiles(seed: seed)
    server = try SimulatedServer(
      versions[1], epoch: random.epoch(), pageBytes: profile.pageBytes)
    self.random = random
    try begin()
  }

  /// The versions of the app, oldest first, made once.
  private static let allVersions = Result { try [1, 2].map { try AppVersion($0) } }

  // MARK: - Beginning

  var boards: [ScopeID] {
    (1...profile.boards).compactMap { try? ScopeID(kind: "board", value: "b\($0)") }
  }

  private func begin() throws {
    var accounts = [AccountID(random.uuid())]
    for place in 0..<profile.devices {
      if place > 0, !profile.isShared { accounts.append(AccountID(random.uuid())) }
      try addDevice(place, accounts[accounts.count - 1])
    }
    for account in accounts {
      try grant(.owner, to: account, in: ScopeID(kind: "person", value: account.uuid.uuidString))
      for board in boards { try grant(firstRole(), to: account, in: board) }
    }
  }

  private func addDevice(_ place: Int, _ account: AccountID) throws {
    let version = versions[profile.beginsOld && random.chance(60) ? 0 : 1]
    devices.append(
      try SimulatedDevice(
        place, account, version, file: try files.make(version.template), skew: drawSkew(),
        newID: random.deviceID()))
  }

  func drawSkew() -> Int64 { Int64(random.number(in: -profile.skew...profile.skew)) }

  private func firstRole() -> Role? {
    if profile.keepsTokens { return .editor }
    return random.pick([(.owner, 3), (.editor, 6), (.viewer, 1), (nil, 1)]) ?? .editor
  }

  func grant(_ role: Role?, to account: AccountID, in scope: ScopeID) throws {
    guard let role else { return }
    try server.log.grant(role, to: account, in: scope)
    server.history.note(role, of: account, in: scope)
  }

  // MARK: - Running

  private func run() throws {
    if profile.isWarm { try warmUp() }
    for step in 1...profile.steps {
      now += Int64(random.number(in: 1...200))
      let action = random.pick(profile.actions) ?? .wait
      trace.add("step \(step) at \(now % 1_000_000_000): \(action.rawValue)")
      try perform(action)
    }
    trace.add("faults stop")
    isCalm = true
    try settle()
    try checkTheEnd()
  }

  /// Runs the schedule of a seed.
  /// - Parameters:
  ///   - breach: a rule that is broken, to show that the invariants notice.
  ///   - isControl: whether the breach makes the schedule what it is, and is not committed.
  ///   - isBrief: whether the schedule is short, for a test that has little time.
  ///   - isTraced: whether the result tells each step.
  public static func run(
    seed: UInt64, breach: Breach? = nil, isControl: Bool = false, isBrief: Bool = false,
    isTraced: Bool = false
  ) -> ScheduleResult {
    var result = ScheduleResult(seed: seed)
    do {
      let schedule = try Schedule(
        seed: seed, breach, isControl: isControl, isBrief: isBrief, isTraced: isTraced)
      do {
        try schedule.run()
      } catch {
        result.violation = Violation(of: error)
      }
      result.counters = schedule.counters
      result.trace = schedule.trace.lines
      result.fingerprint = schedule.random.peek()
    } catch {
      result.violation = Violation(of: error)
    }
    return result
  }
}

/// What became of a schedule.
public struct ScheduleResult: Sendable {
  /// The seed.
  public let seed: UInt64
  /// What did not hold, where anything did not.
  public internal(set) var violation: Violation?
  /// What was met.
  public internal(set) var counters = Counters()
  /// Each step, where the run was traced.
  public internal(set) var trace: [String] = []
  /// A number that two equal runs have in common.
  public internal(set) var fingerprint: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }
}
