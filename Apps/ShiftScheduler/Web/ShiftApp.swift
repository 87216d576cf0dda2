import Foundation
import Observation
import OffshoreCalendar
package import OffshoreFiles
import OffshoreHost
package import OffshorePages
import OffshorePresentation
import OffshoreSync
package import ShiftScheduler

/// The store of a page, with the features of the app.
typealias ShiftStore = Store<AppFeature.State, AppFeature.Action>

/// The app on a device: its frame and its records, which the stores of all pages have in common.
@MainActor package final class ShiftApp {
  package let frame: AppFrame
  package let storage: ScheduleStorage
  /// The chosen engine and its records. A move replaces them, and all pages are fetched again.
  package private(set) var engine: StorageEngine
  package private(set) var records: any GroupRepository
  let today: Today
  let measurements = EngineComparisonPart(of: .shiftCount) { EngineComparison(ofShiftsIn: $0) }
  private let device: AppDevice
  private let environment: AppDevice.Environment
  private var accounts: Task<Void, Never>?

  var say: Localizer { frame.say }
  var calendar: Calendar { environment.calendar() }
  var client: PersistenceClient { PersistenceClient(repository: records) }

  init(_ device: AppDevice) async throws {
    let environment = device.environment
    self.environment = environment
    self.device = device
    storage = ScheduleStorage(
      beside: device.store,
      stamp: ChangeStamp(now: environment.now, makeID: environment.makeID))
    let settings = try await storage.settings.loadRestoring()
    engine = settings.engine
    records = try storage.repository(of: engine)
    today = Today(now: environment.now, calendar: environment.calendar, sleep: environment.sleep)
    let language = try await LanguageSetting.start(
      storedBy: storage, languages: device.language.languages,
      preferring: device.language.language, calendar: environment.calendar)
    let region = Weekday(firstInRegionOf: ProcessInfo.processInfo.environment)
    let weekday = WeekdaySetting(settings.firstWeekday, region: region ?? .monday) {
      [storage] weekday in
      try await storage.store(firstWeekday: weekday)
    }
    let sync = try await device.store.sync(with: device.server)
    frame = AppFrame(device, sync, language, weekday)
    try await follow(sync.session.account)
    accounts = Task { [weak self] in
      for await account in Observations({ sync.session.account }).dropFirst() {
        try? await self?.follow(account)
      }
    }
  }

  deinit { accounts?.cancel() }

  /// Moves the records to the database when it belongs to an account, and removes the files of a user who has
  /// erased the device.
  private func follow(_ account: LinkedAccount?) async throws {
    if account != nil {
      guard engine != .database else { return }
      // At the start, the files may be outdated, and chosen only because the settings were lost.
      try await storage.useDatabase(merges: accounts != nil)
      try show(.database)
    } else if accounts != nil {
      storage.removeFiles()
    }
  }

  /// Moves all records to another engine.
  package func move(to engine: StorageEngine) async throws -> RecordCounts {
    let counts = try await storage.move(to: engine)
    try show(engine)
    return counts
  }

  private func show(_ engine: StorageEngine) throws {
    (self.engine, records) = (engine, try storage.repository(of: engine))
    device.refetchPages()
  }

  /// The shifts for calendar apps.
  var export: CalendarExport {
    let feed = SecretAddress("feed", suffix: ".ics", storedBy: frame.store)
    return CalendarExport(feed: feed, today: today) { [self] days in
      let (types, locations) = (
        try await records.loadShiftTypes(), try await records.loadLocations()
      )
      return ScheduleExport(types, locations, in: calendar).file(
        of: try await records.loadShifts(in: days), in: days, named: say(.appName),
        stamp: environment.now())
    }
  }

  /// Returns the change that has deleted a record.
  func deletion(of id: UUID) async throws -> ScheduleChange? {
    try await records.loadChanges().last { $0.edits.contains { $0.removedID == id } }
  }

  /// Shows an undo bar for a change.
  func offerUndo(_ text: LocalizedText, of change: ScheduleChange?) {
    guard let change else { return }
    frame.offerUndo(text) { [records] in try await records.apply(change.inverse.edits) }
  }

  /// Creates the store of a page.
  /// - Parameter day: A day that it shows; the current one by default.
  func store(_ day: CalendarDay? = nil, _ mode: ScheduleFeature.Mode = .day) -> ShiftStore {
    let (day, weekday) = (day ?? today.day, frame.weekday?.day ?? .monday)
    var state = AppFeature.State(day: day, firstWeekday: weekday)
    state.schedule = ScheduleFeature.State(day: day, mode: mode, firstWeekday: weekday)
    return Store(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.persistence = client
      $0.teams = TeamsClient(storage.database)
      $0.settings = SettingsClient(storage)
      $0.settings.move = { try await self.move(to: $0) }
      $0.calendar = calendar
      $0.uuid = environment.makeID
      $0.date = environment.now
    }
  }
}

extension ShiftStore {
  /// Sends actions, and waits for the effects of each.
  func load(_ actions: AppFeature.Action...) async {
    for action in actions { await send(action).finish() }
  }

  /// Loads types and locations, and the shifts of the days that are shown, and follows the teams.
  func loadSchedule() async {
    send(.teams(.onAppear))
    await load(.locations(.onAppear), .shiftTypes(.onAppear), .schedule(.onAppear))
    for await isRead in Observations({ self.teams.isRead }) where isRead { return }
  }

  /// Follows what ``loadSchedule()`` has loaded, until the store is released.
  func followSchedule() {
    send(.locations(.startObservingLocations))
    send(.shiftTypes(.startObservingShiftTypes))
    send(.schedule(.startObservingShifts))
  }
}
