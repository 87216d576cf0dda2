import Foundation
import Offshore
import OffshoreCalendar
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import ShiftScheduler
import TestSupport
import Testing

@testable import OffshoreHost
@testable import ShiftSchedulerWeb

/// The app on a device of its own on 15 June 2027, with its pages on a router without a socket.
@MainActor final class ShiftPages {
  let folder: TemporaryFolder
  let app: ShiftApp
  let tabs = TabRegistry()
  private let router: Router
  private let store: SyncedStore

  /// Opens the app.
  /// - Parameters:
  ///   - folder: The folder of the files; by default one of its own.
  ///   - server: The server to sync with.
  ///   - sample: Whether there are ``PreviewData``, of June 2027.
  init(_ folder: TemporaryFolder? = nil, server: URL? = nil, sample: Bool = true) async throws {
    self.folder = try folder ?? TemporaryFolder()
    store = try SyncedStore(self.folder.file("shiftscheduler.sqlite"), schema: ShiftSchema.current)
    var environment = AppDevice.Environment()
    environment.calendar = { .utc }
    environment.now = { Date(timeIntervalSince1970: 1_813_053_600) }
    let language = try await LanguageSetting.start(
      storedBy: store, languages: [.english, .russian], preferring: .english, calendar: { .utc })
    var opened: ShiftApp?
    let open = try await ShiftSchedulerApp.hosted {
      opened = $0
      return nil
    }.open(
      AppDevice(
        store: store, language: language, server: server, tabs: tabs, environment: environment))
    app = try #require(opened)
    var router = Router(presentError: { error, _ in
      error.asAppError == .database(.notFound)
        ? Response(presenting: HTTPError(.notFound)) : Response(presenting: error)
    })
    router.addLivePages(tabs)
    open.addPages(&router)
    var system = Router()
    system.addSystemPages(of: open.frame)
    router.addMissing(from: system)
    self.router = router
    guard sample else { return }
    try await app.records.saveLocations(PreviewData.locations)
    try await app.records.saveShiftTypes(PreviewData.shiftTypes)
    try await app.records.saveShifts(PreviewData.shifts)
  }

  var shifts: [ScheduledShift] {
    get async throws { try await app.records.loadShifts() }
  }

  // MARK: - Requests

  func get(_ address: String) async -> Response {
    let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
    var request = Request(.get, parts[0])
    request.rawQuery = parts.count > 1 ? parts[1] : ""
    return await router.respond(to: request)
  }

  /// Posts a form as a browser without the script does, or as the script of a tab does.
  func post(_ address: String, _ fields: Fields, tab: String? = nil) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await router.respond(
      to: Request(.post, address, headers: headers, body: Array(fields.encoded.utf8)))
  }

  /// Posts a form with files.
  func post(
    _ address: String, action: String, files: [(name: String, bytes: [UInt8])]
  ) async -> Response {
    var body = Array(
      "--b\r\nContent-Disposition: form-data; name=\"action\"\r\n\r\n\(action)\r\n".utf8)
    for file in files {
      let head =
        "--b\r\nContent-Disposition: form-data; name=\"\(action)\"; filename=\"\(file.name)\"\r\n"
      body += Array("\(head)Content-Type: application/octet-stream\r\n\r\n".utf8) + file.bytes
      body += Array("\r\n".utf8)
    }
    return await router.respond(
      to: Request(
        .post, address, headers: ["Content-Type": "multipart/form-data; boundary=b"],
        body: body + Array("--b--\r\n".utf8)))
  }

  /// Returns the next changes of a tab, up to one with a text.
  func changes(of page: Response, upTo text: String) async throws -> [String] {
    guard case .events(let events) = await get("/live/\(try page.tab)?after=0").body else {
      throw NotLive()
    }
    defer { events.close() }
    var changes: [String] = []
    while let change = await events.next()?.data {
      changes.append(change)
      if change.contains(text) { return changes }
    }
    throw NotLive()
  }

  private struct NotLive: Error {}
}

extension Response {
  var text: String {
    guard case .bytes(let bytes) = body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The id of the tab.
  var tab: String {
    get throws { try String(#require(text.firstMatch(of: /data-tab="([^"]+)"/)).1) }
  }

  /// The address to go to.
  var location: String? { headers["Location"] }

  /// Returns the markup of a region.
  func region(_ id: String) throws -> String {
    let rest = try #require(text.components(separatedBy: #"id="\#(id)""#).dropFirst().first)
    return rest.components(separatedBy: "data-region").dropFirst().first ?? ""
  }

  /// The digests of the texts with which a form was opened.
  var origins: Fields {
    var fields: Fields = [:]
    for match in text.matches(of: /name="(origin\.[^"]+)" value="([^"]*)"/) {
      fields.items += ([String(match.1): String(match.2)] as Fields).items
    }
    return fields
  }

  /// Returns the sentence beside a field, or `nil`.
  func error(of field: String) -> String? {
    let parts = text.components(separatedBy: #"id="field-\#(field)-error""#)
    return parts.count > 1
      ? parts[1].components(separatedBy: "<")[0].components(separatedBy: ">").last : nil
  }
}

func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }
