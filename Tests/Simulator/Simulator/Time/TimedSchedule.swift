import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// A run of devices and a server in virtual time, determined by a seed.
///
/// In a ``Schedule`` the simulator decides when a device sends a request. Here the product's engine
/// decides, and the product's server notifies devices of changes by streams. Calm periods alternate
/// with disturbed ones.
///
/// ```swift
/// let result = await TimedSchedule.run(seed: 7, isTraced: true)
/// ```
public final class TimedSchedule {
  private let time: VirtualTime
  private let server: TimedServer
  private let watch: ChangeWatch
  private let network: TimedNetwork
  private let users: TimedUsers
  private let files: DeviceFiles

  /// The milliseconds after the last disturbance within which all devices must be idle and
  /// listening: twice the longest delay.
  private static let patience = 2 * SyncEngine.Timing().longestDelay

  private init(seed: UInt64, _ breach: Breach?, isControl: Bool, isTraced: Bool) async throws {
    time = VirtualTime(SeededRandom(seed: seed), Trace(isKept: isTraced))
    files = try DeviceFiles(seed: seed)
    // The number of devices of each account.
    let counts = time.random.pick([[1, 1], [2, 1], [2, 1], [1, 1, 1], [2, 2]])
    let endsStreams = time.random.chance(20) || breach == .formerBackoff
    server = try await TimedServer(
      counts.map { [time] _ in AccountID(time.random.uuid()) }, endsStreams: endsStreams,
      epoch: time.random.epoch())
    let devices = try Self.devices(counts, server, files, time)
    watch = ChangeWatch(time, server, devices)
    network = TimedNetwork(time, server, watch, isControl ? nil : breach)
    users = TimedUsers(
      time: time, network: network, server: server,
      drivers: devices.map { [time, network, watch] in
        TimedDriver(
          $0, time, network, watch,
          scopesPerRound: seed.isMultiple(of: 3) ? 6 : WireLimits.scopesPerPull)
      })
  }

  private static func devices(
    _ counts: [Int], _ server: TimedServer, _ files: DeviceFiles, _ time: VirtualTime
  ) throws -> [TimedDevice] {
    let places = counts.enumerated().flatMap { Array(repeating: $0, count: $1) }
    return try places.enumerated().map { place, account in
      try TimedDevice(
        place, server.accounts[account], token: TimedServer.token(account),
        hasMonitor: time.random.chance(50),
        file: try files.make(ListApp.shared.get().template), id: time.random.deviceID())
    }
  }

  // MARK: - Periods

  private func run() async throws {
    for driver in users.drivers { driver.handle(.started) }
    for round in 1...time.random.number(in: 1...2) {
      if round > 1 { try await disturb() }
      try await settle()
      try await beCalm()
    }
  }

  /// Ends all disturbances, and runs until every device is idle and listening.
  private func settle() async throws {
    network.loss = 0
    server.isUp = true
    for driver in users.drivers { driver.reconnect() }
    let end = time.now + Self.patience
    while network.disturbances > 0 || !users.drivers.allSatisfy(\.isSettled) {
      guard try await time.step(until: end) else { throw unsettled }
    }
    // The last hints may still be in transit.
    try await time.run(for: ChangeWatch.limit)
    try await watch.checkContents()
  }

  private var unsettled: Violation {
    guard let driver = users.drivers.first(where: { !$0.isSettled }) else {
      return Violation(.settles, "The effects of disturbances do not end.")
    }
    return Violation(
      driver.status.isListening ? .settles : .listening,
      "\(driver.name) is \(driver.status) long after the last disturbance.")
  }

  /// Performs user actions without disturbances. A proxy may still end a stream.
  private func beCalm() async throws {
    time.note("calm")
    watch.isCalm = true
    for _ in 0..<time.random.number(in: 3...6) {
      if time.random.chance(10) {
        network.endStream(of: time.random.pick(users.drivers))
      } else {
        try await users.act()
      }
      try await time.run(for: gap())
    }
    // Twice the limit: an invitation needs three messages before it is accepted.
    try await time.run(for: 2 * ChangeWatch.limit)
    try await watch.checkContents()
    watch.isCalm = false
  }

  /// Returns the milliseconds between two actions.
  ///
  /// The engine delays streams more and more if more than three in a row end within a second, so
  /// the pause is longer with a server that ends streams.
  private func gap() -> Int64 {
    if server.endsStreams { return Int64(time.random.number(in: 1_600...2_200)) }
    return time.random.pick([0, 30, 200, 900])
  }

  /// Performs user actions amid many disturbances.
  private func disturb() async throws {
    time.note("disturbances")
    network.loss = time.random.pick([0, 10, 40])
    for _ in 0..<time.random.number(in: 3...6) {
      if time.random.chance(60) { disturbOnce() } else { try await users.act() }
      try await time.run(for: Int64(time.random.number(in: 0...1_500)))
    }
  }

  private func disturbOnce() {
    let driver = time.random.pick(users.drivers)
    switch time.random.number(below: 6) {
    case 0: network.cutStream(of: driver)
    case 1: network.endStream(of: driver)
    case 2: network.restartServer()
    case 3: driver.disconnect()
    case 4: driver.reconnect()
    default: driver.relaunch()
    }
  }

  // MARK: - Running

  /// Runs the schedule of a seed.
  /// - Parameters:
  ///   - breach: A rule that is broken, to show that the invariants detect it.
  ///   - isControl: Whether the breach adapts the schedule but does not break the rule.
  ///   - isTraced: Whether the result has a line for each step.
  public static func run(
    seed: UInt64, breach: Breach? = nil, isControl: Bool = false, isTraced: Bool = false
  ) async -> ScheduleResult {
    var result = ScheduleResult(seed: seed)
    do {
      let schedule = try await TimedSchedule(
        seed: seed, breach, isControl: isControl, isTraced: isTraced)
      do {
        try await schedule.run()
      } catch {
        result.violation = Violation(of: error)
      }
      let time = schedule.time
      result.counters = time.counters
      result.trace = time.trace.lines
      result.fingerprint = time.random.peek()
      time.removeEvents()
    } catch {
      result.violation = Violation(of: error)
    }
    return result
  }
}
