import Anyfleet
import Foundation
import FoundationNetworking
import Offshore
import Testing

extension FaultTests {
  /// The host of the apps, killed while somebody ticks.
  @Suite(.serialized)
  struct KilledHostTests {
    /// A charter and a checklist to run in it.
    private struct Subject {
      let charter: UUID
      let checklist: Checklist
    }

    @Test("Every answered tick is there after the host was killed among rapid toggles")
    func killedAmongToggles() async throws {
      for round in 0..<Rounds.count(ofSoak: 20, else: 3) {
        let folder = try FaultFolder()
        let subject = try await prepare(folder)
        let host = try FaultProcess("offshore-apps", ["--home", folder.path, "--port", "0"])
        let address = try #require(await host.lines(1).first?.split(separator: " ").last)
        let skipper = try Skipper(String(address))
        let goal = Int.random(in: 1..<200)
        let answered = try await skipper.toggle(subject.checklist, in: subject.charter, 200) {
          count in
          // Some toggles are still under way when the host dies.
          if count == goal { host.kill() }
        }
        host.kill()
        _ = await host.status()
        try await check(folder, subject, answered, round)
      }
    }

    private func check(
      _ folder: FaultFolder, _ subject: Subject, _ answered: [UUID: Bool], _ round: Int
    ) async throws {
      let database = try AppDatabase(path: folder.file("anyfleet.sqlite"))
      let repository = LocalRepository(database: database)
      let state = try await repository.loadExecutionState(
        checklistID: subject.checklist.id, charterID: subject.charter)
      for (item, isOn) in answered {
        #expect(state?.itemStates[item]?.isChecked ?? false == isOn, "round \(round)")
      }
      #expect(!answered.isEmpty, "round \(round)")
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

/// Somebody who ticks by posting forms, as the script of a page does.
private struct Skipper {
  private let address: URLComponents
  private let session = URLSession(configuration: .ephemeral)

  init(_ address: String) throws {
    self.address = try #require(URLComponents(string: address))
  }

  /// Toggles items in turn until the host is gone.
  ///
  /// - Returns: by item the last state whose form was answered. An item with a later form that was not
  ///   answered is left out, because either state may be stored.
  func toggle(
    _ checklist: Checklist, in charter: UUID, _ count: Int, answered: (Int) -> Void
  ) async throws -> [UUID: Bool] {
    defer { session.invalidateAndCancel() }
    let page = "/charters/\(charter.uuidString)/checklists/\(checklist.id.uuidString)"
    _ = try await send(path: address.path, query: address.query)
    let (_, markup) = try await send(path: page)
    let tab = try #require(markup.firstMatch(of: /data-tab="([^"]+)"/)?.1)
    let items = checklist.items.map(\.id)
    var states: [UUID: Bool] = [:]
    for number in 0..<count {
      let item = items[number * 7 % items.count]
      let isOn = states[item] != true
      let path = "\(page)/items/\(item.uuidString)"
      let status = try? await send(path: path, form: "isOn=\(isOn)", tab: String(tab)).status
      guard status == 204 else {
        states[item] = nil
        return states
      }
      states[item] = isOn
      answered(number + 1)
    }
    return states
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
