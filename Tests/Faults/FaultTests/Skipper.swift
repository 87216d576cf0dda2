import Anyfleet
import Foundation
import FoundationNetworking
import Offshore
import Testing

/// A charter with a running checklist, in the folder of a host.
struct RunningChecklist {
  let charter: UUID
  let checklist: Checklist

  /// Creates the charter, before the host starts.
  init(in folder: String) async throws {
    let dependencies = try await AppDependencies.live(path: folder + "/anyfleet.sqlite")
    charter = UUID()
    try await dependencies.charterRepository.createCharter(
      CharterModel(
        id: charter, name: "Storm", boatName: nil, location: nil, startDate: .now, endDate: .now,
        createdAt: .now, checkInChecklistID: nil))
    checklist = try #require(
      try await dependencies.libraryRepository.fetchUserChecklists().first)
    await dependencies.database.database.close()
  }

  /// The path of the checklist's page.
  var page: String {
    "/anyfleet/charters/\(charter.uuidString)/checklists/\(checklist.id.uuidString)"
  }

  /// Distributes the items over a number of shares.
  func shares(_ count: Int) -> [[UUID]] {
    let items = checklist.items.map(\.id)
    return (0..<count).map { share in
      stride(from: share, to: items.count, by: count).map { items[$0] }
    }
  }
}

/// A simulated user who ticks items by posting forms, as the script of a page does.
struct Skipper {
  /// The results of the forms.
  struct Log {
    /// The last answered state of each item.
    var answered: [UUID: Bool] = [:]
    /// The item whose form was not answered.
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

  /// Toggles items in turn until a request fails because the host was killed.
  func toggle(_ count: Int, until fate: Fate) async throws -> Log {
    defer { session.invalidateAndCancel() }
    var log = Log()
    let tab: String
    do {
      tab = try await openPage()
    } catch  where fate.isMet {
      return log
    }
    for number in 0..<count {
      let item = items[number * 7 % items.count]
      let isOn = log.answered[item] != true
      let status = try? await tick(item, isOn, tab: tab)
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

  /// Signs in and opens the page.
  /// - Returns: the tab's id.
  func openPage() async throws -> String {
    _ = try await send(path: address.path, query: address.query)
    let (_, markup) = try await send(path: page)
    return String(try #require(markup.firstMatch(of: /data-tab="([^"]+)"/)?.1))
  }

  /// Sends the form of an item.
  /// - Returns: the status code of the response: 204 if the tick is stored.
  func tick(_ item: UUID, _ isOn: Bool, tab: String) async throws -> Int {
    let form = "action=tick&item=\(item.uuidString)&isOn=\(isOn)"
    return try await send(path: page, form: form, tab: tab).status
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
