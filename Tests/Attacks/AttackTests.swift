import Foundation
import TestSupport
import Testing

/// Attacks on a real server: clients that are hostile, or only unlucky.
///
/// During each attack a bystander uses the same server, and afterwards the server is as well as
/// before. The attacks are small in `make test`. In `make soak`, which sets `OFFSHORE_SOAK`, they
/// have the size that once did harm.
@Suite(.serialized) enum AttackTests {
  /// Whether the attacks have their full size.
  static let isSoak = ProcessInfo.processInfo.environment["OFFSHORE_SOAK"] != nil

  /// The limits of a bystander's waits, during an attack and after it.
  struct Bounds {
    /// The median of the durations of calls of each kind.
    let median: Duration
    /// The duration that 99 of 100 calls of each kind stay below.
    let most: Duration
    /// The time after an attack until all calls are as fast as the median again.
    let recovery: Duration

    /// The bounds of this run. An ordinary run may share a slow machine with other tests.
    static let current =
      isSoak
      ? Bounds(median: .milliseconds(250), most: .seconds(2), recovery: .seconds(5))
      : Bounds(median: .seconds(5), most: .seconds(15), recovery: .seconds(15))
  }

  /// Starts a server, attacks it beside a bystander, and checks that the server can be stopped.
  ///
  /// The checks are those of ``Bounds``, and that the memory of the server stays below 512 MiB.
  /// - Parameters:
  ///   - openFiles: the limit of the server's open files, or `nil` for that of the tests.
  ///   - prepare: Prepares the server's data, before the bystander comes.
  ///   - attack: The attack.
  static func run<Setting>(
    openFiles: Int? = nil, prepare: (AttackedServer) async throws -> Setting,
    attack: (AttackedServer, Setting, Bystander) async throws -> Void
  ) async throws {
    let server = try await AttackedServer(openFiles: openFiles)
    let setting = try await prepare(server)
    let bystander = try await Bystander(server)
    bystander.start()
    do {
      try await attack(server, setting, bystander)
    } catch {
      _ = await bystander.end()
      throw error
    }
    try await check(server, bystander)
    try await server.stop()
  }

  private static func check(_ server: AttackedServer, _ bystander: Bystander) async throws {
    let start = ContinuousClock.now
    let bounds = Bounds.current
    await bystander.waitUntilWell(within: bounds.median, noLongerThan: bounds.recovery)
    let recovery = start.duration(to: .now)
    let experience = await bystander.end()
    let memory = try server.memory(.peak)
    print("bystander: \(experience); well after \(recovery); memory: \(memory >> 20) MiB at most")
    #expect(Set(experience.failures) == [], "of \(experience.failures.count)")
    for (kind, durations) in experience.durations {
      #expect(durations.median < bounds.median, "\(kind): \(experience)")
      #expect(durations.most < bounds.most, "\(kind): \(experience)")
    }
    #expect(recovery < bounds.recovery)
    #expect(memory < 512 << 20)
  }
}
