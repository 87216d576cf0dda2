import Anyfleet
import Foundation
import Offshore
import Synchronization
import TestSupport
import Testing

extension FaultTests {
  /// The host of the apps, killed while simulated users tick items.
  @Suite(.serialized)
  struct KilledHostTests {
    @Test func `Every answered tick is stored after the host was killed amid rapid toggles`()
      async throws
    {
      for round in 0..<Rounds.count(ofSoak: 20, else: 3) {
        let folder = try FaultFolder()
        let subject = try await RunningChecklist(in: folder.path)
        let host = try FaultProcess("offshore-apps", ["--home", folder.path, "--port", "0"])
        defer { host.kill() }
        let address = try #require(await host.lines(1).first?.split(separator: " ").last)
        let fate = Fate(of: host, afterAnswers: Int.random(in: 1...180))
        let logs = try await withThrowingTaskGroup(of: Skipper.Log.self) { group in
          for items in subject.shares(Self.skipperCount) {
            let skipper = try Skipper(String(address), subject.page, items)
            group.addTask { try await skipper.toggle(200 / Self.skipperCount, until: fate) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        host.kill()
        _ = await host.status()
        // All other simulated users were in the middle of a request, or about to send one.
        #expect(logs.contains { $0.unanswered != nil }, "round \(round)")
        try await check(folder, subject, logs, round)
      }
    }

    private static let skipperCount = 5

    private func check(
      _ folder: FaultFolder, _ subject: RunningChecklist, _ logs: [Skipper.Log], _ round: Int
    ) async throws {
      let database = try AppDatabase(path: folder.file("anyfleet.sqlite"))
      let repository = LocalRepository(database: database)
      let state = try await repository.loadExecutionState(
        checklistID: subject.checklist.id, charterID: subject.charter)
      for log in logs {
        // If the last form of an item was not answered, either state may be stored.
        for (item, isOn) in log.answered where item != log.unanswered {
          #expect(state?.itemStates[item]?.isChecked ?? false == isOn, "round \(round)")
        }
      }
      #expect(logs.contains { !$0.answered.isEmpty }, "round \(round)")
      let verdict = try await database.database.read {
        try SQL("PRAGMA integrity_check").all($0, as: String.self)
      }
      #expect(verdict == ["ok"], "round \(round)")
      await database.database.close()
    }
  }
}

/// Kills a process after a number of answers, regardless of other requests in progress.
final class Fate: Sendable {
  private let host: FaultProcess
  private let goal: Int
  private let count = Mutex(0)

  init(of host: FaultProcess, afterAnswers goal: Int) {
    self.host = host
    self.goal = goal
  }

  /// Whether the process has been killed.
  var isMet: Bool { count.withLock { $0 >= goal } }

  /// Counts an answered request, and kills the process at the last one.
  func noteAnswer() {
    let isMet = count.withLock { count in
      count += 1
      return count == goal
    }
    if isMet { host.kill() }
  }
}
