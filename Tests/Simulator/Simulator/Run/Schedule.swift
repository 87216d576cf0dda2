import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport

/// One run of devices and a server, determined by a seed.
///
/// Faults occur for a while. Then they stop, and all devices sync until nothing changes. A violated
/// invariant ends the run.
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
  /// The difference of the server's clock from the true time, in milliseconds.
  var serverSkew: Int64 = 0
  var server: SimulatedServer
  var network = Network()
  var devices: [SimulatedDevice] = []
  /// All accounts, and those that were not deleted.
  private(set) var knownAccounts: [AccountID] = []
  var accounts: [AccountID] = []
  /// The texts that devices have stored as refused changes because a restored server lacks them.
  var keptTexts: Set<RestoreChecks.Shown> = []
  let trace: Trace
  var counters = Counters()
  /// Whether faults are disabled: before the first step and after the last.
  var isCalm = false

  /// The most devices of a schedule, copies included.
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
    versions = try Self.versions(of: profile).get()
    files = try DeviceFiles(seed: seed)
    let version = versions[profile.evolves ? random.number(below: versions.count) : 1]
    server = try SimulatedServer(
      version, epoch: random.epoch(), pageBytes: profile.pageBytes)
    self.random = random
    try begin()
  }

  /// The versions of the app, oldest first, created once.
  private static let allVersions = Result { try [1, 2, 3].map { try AppVersion($0) } }

  private static let versionsWithFiles = Result {
    try [1, 2, 3].map { try AppVersion($0, hasFiles: true) }
  }
  private static let patientVersions = Result {
    try [1, 2, 3].map { try AppVersion($0, hasFiles: true, attempts: 3) }
  }

  private static func versions(of profile: Profile) -> Result<[AppVersion], any Error> {
    if profile.isPatient { return patientVersions }
    return profile.hasFiles ? versionsWithFiles : allVersions
  }

  // MARK: - Setup

  var boards: [ScopeID] {
    (1...profile.boards).compactMap { try? ScopeID(kind: "board", value: "b\($0)") }
  }

  /// The boards, and the scopes of the accounts' own rows.
  var scopes: [ScopeID] {
    let absent = knownAccounts.filter { account in !devices.contains { $0.account == account } }
    return boards
      + (devices.map(\.account) + absent).flatMap {
        (try? SimulatedDevice.personalScopes(of: $0)) ?? []
      }
  }

  /// Whether each edit of a user is applied exactly once and its effect lasts.
  var countsAreKnown: Bool {
    server.history.epochs == 0 && counters["fault.copy"] == 0
  }

  /// Whether each addition to a counter is finally applied exactly once. A restored server may have
  /// lost a role, without which a device cannot send its additions again.
  var sumsAreKnown: Bool {
    counters["fault.copy"] == 0 && counters["fault.erase"] == 0
      && (server.history.epochs == 0 || !profile.changesRoles)
  }

  var exchanges: Exchanges { Exchanges(schedule: self) }

  private func begin() throws {
    var accounts = [AccountID(random.uuid())]
    for place in 0..<profile.devices {
      if place > 0, !profile.isShared { accounts.append(AccountID(random.uuid())) }
      try addDevice(place, accounts[accounts.count - 1])
    }
    (knownAccounts, self.accounts) = (accounts, accounts)
    for device in devices { device.others = accounts.filter { $0 != device.account } }
    for (place, account) in accounts.enumerated() {
      try server.addAccount(account, named: "account-\(place)")
      for kind in ["person", "desk"] {
        try grant(.owner, to: account, in: ScopeID(kind: kind, value: account.description))
      }
      for board in boards { try grant(firstRole(), to: account, in: board) }
    }
  }

  private func addDevice(_ place: Int, _ account: AccountID) throws {
    let version =
      profile.evolves
      ? random.pick(versions) : versions[profile.beginsOld && random.chance(60) ? 0 : 1]
    let device = try SimulatedDevice(
      place, account, version, file: try files.make(version.template), skew: drawSkew(),
      isHonest: !(profile.hasLetters && place % 2 == 1),
      checksWrites: breach != .uncheckedWrites, newID: random.deviceID())
    device.largeScopeRows = profile.largeScopeRows
    devices.append(device)
  }

  func drawSkew() -> Int64 { Int64(random.number(in: -profile.skew...profile.skew)) }

  private func firstRole() -> Role? {
    if profile.keepsTokens { return .editor }
    return random.pick([(.owner, 3), (.editor, 6), (.viewer, 1), (nil, 1)]) ?? .editor
  }

  func grant(_ role: Role?, to account: AccountID, in scope: ScopeID) throws {
    guard let role else { return }
    let violations = try server.grant(
      role, to: account, in: scope, at: now + serverSkew, breach)
    if let violation = violations.first { throw violation }
  }

  // MARK: - Running

  private func run() throws {
    if profile.isWarm { try warmUp() }
    for step in 1...profile.steps {
      // Delays of refused changes end during the schedule.
      now += Int64(random.number(in: 1...200)) * (profile.isPatient ? 20 : 1)
      let action = random.pick(profile.actions) ?? .wait
      trace.add("step \(step) at \(now % 1_000_000_000): \(action.rawValue)")
      try perform(action)
    }
    trace.add("faults stop")
    isCalm = true
    try settle()
    try EndChecks(schedule: self).run()
    if profile.hasFiles { try FileExchanges(schedule: self).finish() }
  }

  /// Inserts the first rows and pulls them on all devices, before faults begin.
  private func warmUp() throws {
    trace.add("warming up")
    isCalm = true
    defer { isCalm = false }
    for device in devices {
      try exchanges.fetch(device)
      for board in boards where mayWrite(device, board) { try furnish(board, device) }
      if profile.hasLetters, boards.allSatisfy({ mayEdit(device, $0) }) {
        try write(device) { try $0.makeLetter($1) }
      }
      if profile.hasReaders {
        try write(device) { work, writer in
          try work.changeMemo(writer)
          try work.makePick(Pick.all, writer)
        }
      }
      // An older server takes no changes of a newer app.
      guard device.version.number <= server.version.number else { continue }
      while try exchanges.push(device) {}
    }
    for device in devices { try exchanges.fetch(device) }
  }

  private func mayWrite(_ device: SimulatedDevice, _ board: ScopeID) -> Bool {
    server.log.scope(board).head == 0 && mayEdit(device, board)
  }

  private func mayEdit(_ device: SimulatedDevice, _ board: ScopeID) -> Bool {
    server.history.role(of: device.account, in: board)?.canWrite == true
  }

  private func furnish(_ board: ScopeID, _ device: SimulatedDevice) throws {
    try write(device, boards: [board.value]) { work, writer in
      try work.makeBoard(writer)
      for _ in 0..<3 { try work.makeCard(writer) }
      if profile.evolves { try work.makeMark(writer) }
      if profile.hasPins { try work.makePin(writer) }
      try work.makeCard(isToken: true, writer)
      try work.makeNote(writer)
    }
  }

  /// Performs work of a user before faults begin.
  private func write(
    _ device: SimulatedDevice, boards: [String] = [],
    _ body: (inout LocalWork, Writer) throws -> Void
  ) throws {
    var work = LocalWork(
      device, profile.habits, boards: boards, random: SeededRandom(seed: random.next()))
    work.time = device.clock(at: now)
    try device.connection.write { try body(&work, $0) }
    trace.add("  \(device.name): \(work.words.joined(separator: "; "))")
    try device.note(work)
  }

  /// The most rounds of exchange until no change may remain.
  static let roundLimit = 40

  /// Delivers all messages, then lets all devices sync until nothing changes.
  private func settle() throws {
    if profile.evolves { while server.version.number < versions.count { try upgradeServer() } }
    network.cutOff = []
    for _ in 0..<1_000 where !network.waiting.isEmpty { try exchanges.deliver() }
    network.forgetAll()
    for round in 1...Self.roundLimit {
      trace.add("round \(round)")
      let before = heads
      var isQuiet = true
      for device in devices {
        let hasSent = try exchanges.sync(device)
        isQuiet = isQuiet && !hasSent
      }
      // Changes that were refused are sent again after a delay, and members leave after their files are sent.
      let isWaiting =
        try (profile.isPatient || profile.hasFiles) && devices.contains { try $0.hasPostponed }
      if isWaiting { now += 300_000 }
      if isWaiting, profile.hasFiles { for device in devices { try sendFiles(of: device) } }
      if isQuiet, heads == before, !isWaiting { return }
    }
    throw Violation(.settles, "Something changes in each of \(Self.roundLimit) rounds.")
  }

  private func sendFiles(of device: SimulatedDevice) throws {
    while try FileExchanges(schedule: self).work(device) != nil {}
  }

  private var heads: [Int64] {
    scopes.map { server.log.scope($0).head }
  }

  // MARK: - Running a seed

  /// Runs the schedule of a seed.
  /// - Parameters:
  ///   - breach: A rule that is broken, to show that the invariants detect it.
  ///   - isControl: Whether the breach adapts the schedule but does not break the rule.
  ///   - isBrief: Whether the schedule is short, for a test with little time.
  ///   - isTraced: Whether the result has a line for each step.
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

/// The result of a schedule.
public struct ScheduleResult: Sendable {
  /// The seed.
  public let seed: UInt64
  /// The first violation, or `nil` if all invariants held.
  public internal(set) var violation: Violation?
  /// The counters of faults and outcomes.
  public internal(set) var counters = Counters()
  /// A line for each step, if the run was traced.
  public internal(set) var trace: [String] = []
  /// A number that is equal in two equal runs.
  public internal(set) var fingerprint: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }
}
