import Anyfleet
import Foundation
import FoundationNetworking
import Offshore
import Synchronization
import Testing

extension FaultTests {
  /// The host of the apps, killed while somebody ticks.
  @Suite(.serialized)
  struct KilledHostTests {
    /// A charter and a checklist to run in it.
    private struct Subject {
      let charter: UUID
      let checklist: Checklist

      /// The path of the page on which it is run.
      var page: String { "/charters/\(charter.uuidString)/checklists/\(checklist.id.uuidString)" }

      /// The items, each in one share.
      func shares(_ count: Int) -> [[UUID]] {
        let items = checklist.items.map(\.id)
        return (0..<count).map { share in
          stride(from: share, to: items.count, by: count).map { items[$0] }
        }
      }
    }

    @Test("Every answered tick is there after the host was killed among rapid toggles")
    func killedAmongToggles() async throws {
      for round in 0..<Rounds.count(ofSoak: 20, else: 3) {
        let folder = try FaultFolder()
        let subject = try await prepare(folder)
        let host = try FaultProcess("offshore-apps", ["--home", folder.path, "--port", "0"])
        let address = try #require(await host.lines(1).first?.split(separator: " ").last)
        let fate = Fate(of: host, afterAnswers: Int.random(in: 1...180))
        let logs = try await withThrowingTaskGroup(of: Skipper.Log.self) { group in
          for items in subject.shares(Self.skipperCount) {
            let skipper = try Skipper(String(address), subject.page, items)
            group.addTask { try await skipper.toggle(200 / Self.skipperCount, until: fate) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        _ = await host.status()
        // Those who did not give the host its end were in the middle of a request, or about to make one.
        #expect(logs.contains { $0.unanswered != nil }, "round \(round)")
        try await check(folder, subject, logs, round)
      }
    }

    private static let skipperCount = 5

    private func check(
      _ folder: FaultFolder, _ subject: Subject, _ logs: [Skipper.Log], _ round: Int
    ) async throws {
      let database = try AppDatabase(path: folder.file("anyfleet.sqlite"))
      let repository = LocalRepository(database: database)
      let state = try await repository.loadExecutionState(
        checklistID: subject.checklist.id, charterID: subject.charter)
      for log in logs {
        // Of an item whose last form was not answered either state may be stored.
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

    private func prepare(_ folder: FaultFolder) async throws -> Subject {
      let dependencies = try await AppDependencies.live(path: folder.file("anyfleet.sqlite"))
      let charter = CharterModel(
        id: UUID(), name: "Storm", boatName: nil, location: nil, startDate: .now, endDate: .now,
        createdAt: .now, checkInChecklistID: nil)
      try await dependencies.charterRepository.createCharter(charter)
      let checklist = try #require(
        try await dependencies.libraryRepository.fetchUserChecklists().first)
      await dependencies.database.database.close()
      return Subject(charter: charter.id, checklist: checklist)
    }
  }
}

/// Kills a process once enough has been answered, whatever else is under way at that moment.
private final class Fate: Sendable {
  private let host: FaultProcess
  private let goal: Int
  private let count = Mutex(0)

  init(of host: FaultProcess, afterAnswers goal: Int) {
    self.host = host
    self.goal = goal
  }

  func noteAnswer() {
    let isMet = count.withLock { count in
      count += 1
      return count == goal
    }
    if isMet { host.kill() }
  }
}

/// Somebody who ticks by posting forms, as the script of a page does.
private struct Skipper {
  /// What became of the forms.
  struct Log {
    /// The last state that was answered, by item.
    var answered: [UUID: Bool] = [:]
    /// The item whose form was not.
    var unanswered: UUID?
  }

  private let address: URLComponents
  private let page: String
  private let items: [UUID]
  private let session = URLSession(configuration: .ephemeral)

  init(_ address: String, _ page: String, _ items: [UUID]) throws {
    self.address = try #require(URLComponents(string: address))
    self.page = page
    self.items = items
  }

  /// Toggles items in turn, until the host is gone.
  func toggle(_ count: Int, until fate: Fate) async throws -> Log {
    defer { session.invalidateAndCancel() }
    var log = Log()
    guard let tab = try? await openPage() else { return log }
    for number in 0..<count {
      let item = items[number * 7 % items.count]
      let isOn = log.answered[item] != true
      let path = "\(page)/items/\(item.uuidString)"
      let status = try? await send(path: path, form: "isOn=\(isOn)", tab: tab).status
      guard let status else {
        log.unanswered = item
        return log
      }
      #expect(status == 204)
      log.answered[item] = isOn
      fate.noteAnswer()
    }
    return log
  }

  /// Gets in and opens the page.
  /// - Returns: the tab's id.
  private func openPage() async throws -> String {
    _ = try await send(path: address.path, query: address.query)
    let (_, markup) = try await send(path: page)
    return String(try #require(markup.firstMatch(of: /data-tab="([^"]+)"/)?.1))
  }

  private func send(
    path: String, query: String? = nil, form: String? = nil, tab: String? = nil
  ) async throws -> (status: Int, body: String) {
    var components = address
    components.path = path
    components.query = query
    var request = URLRequest(url: try #require(components.url))
    if let form {
      request.httpMethod = "POST"
      request.httpBody = Data(form.utf8)
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      request.setValue("same-origin", forHTTPHeaderField: "Sec-Fetch-Site")
      request.setValue(tab, forHTTPHeaderField: "Offshore-Tab")
    }
    let (data, response) = try await session.data(for: request)
    let status = try #require(response as? HTTPURLResponse).statusCode
    return (status, String(decoding: data, as: UTF8.self))
  }
}
