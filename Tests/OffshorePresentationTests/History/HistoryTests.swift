import Foundation
import Offshore
import OffshoreCalendar
import OffshoreSync
import OffshoreWire
import Testing

@testable import OffshorePresentation

/// Reading the conflicts of a scope by the declarations of its tables, and using losing values.
@Suite(.timeLimit(.minutes(1)))
struct HistoryTests {
  private let logbook: Logbook

  init() async throws { logbook = try await Logbook() }

  // MARK: - Declarations

  private static func label(_ name: String) -> LocalizedText { LocalizedText(verbatim: name) }

  private static let cruises = HistoryTable(
    Cruise.self,
    fields: [
      .text(\.name, label: label("Name")), .text(\.ship, label: label("Ship")),
      .together(
        .value(\.firstDay, label: label("First day")) { day, _ in .days(day, day) },
        .value(\.lastDay, label: label("Last day")) { day, _ in .days(day, day) },
        label: label("Days")
      ) { first, last in
        guard case .days(let start, _) = first, case .days(_, let end) = last else { return nil }
        return .days(start, end)
      }.allowed { cruise, _ in cruise.firstDay <= cruise.lastDay },
      .number(\.berths, label: label("Berths")),
      .check(\.isOpen, label: label("Access"), on: label("open"), off: label("closed")),
      .collection(\.crew, label: label("Crew"), count: { label("\($0) people") }, names: { $0 }),
      .value(\.fee, label: label("Fee")) { fee, _ in
        fee.map { .amount($0.amount, currencyCode: "EUR") } ?? .missing
      },
      .reference(\.harbourID, label: label("Harbour"), unknown: label("a harbour")) {
        id, context in try context.title(of: Harbour.self, id)
      },
    ],
    updateDependants: { cruise, _, writer in
      try Cruise.find(cruise.id).update(writer) { [$0.revision.set(cruise.revision + 1)] }
    })

  private static let harbours = HistoryTable(
    Harbour.self, name: label("Harbour"), fields: [.text(\.name, label: label("Name"))],
    title: { _, _ in "Former harbour" })

  private struct Watch: Decodable, Equatable {
    let on: Bool
  }

  private func watches(isRestorable: Bool = true) -> HistoryTable {
    let fields = [
      HistoryField<Watches>.keys(of: \.plan, label: Self.label("Watch"), as: Watch.self) { watch in
        .words(Self.label(watch.map { $0.on ? "on" : "off" } ?? "unknown"))
      }
    ]
    guard isRestorable else { return HistoryTable(Watches.self, fields: fields) }
    let (id, cruiseID) = (logbook.watches.id, logbook.watches.cruiseID)
    return HistoryTable(
      Watches.self, fields: fields,
      blank: { _, _ in Watches(id: id, cruiseID: cruiseID, plan: "{}") })
  }

  private func history(
    _ tables: [HistoryTable] = [cruises], places: Set<HistoryPlace>? = nil
  ) throws -> History {
    History(of: try logbook.scope, in: LoggedStore(logbook.store), tables, places: places)
  }

  private func entries(_ history: History) async throws -> [HistoryEntry] {
    for try await content in history.contents() { return try #require(content).entries }
    return []
  }

  private func only(_ history: History) async throws -> HistoryEntry {
    let entries = try await entries(history)
    #expect(entries.count == 1)
    return try #require(entries.first)
  }

  // MARK: - Fields

  @Test func `Each kind of field is shown with both values, the newest conflict first`()
    async throws
  {
    let harbour = logbook.harbour.id.uuidString
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    try await logbook.lose(.null, to: "Alma", "ship")
    try await logbook.lose(4, to: 6, "berths")
    try await logbook.lose(0, to: 1, "isOpen")
    try await logbook.lose(#"["Ana","Ivo"]"#, to: #"["Ana"]"#, "crew")
    try await logbook.lose(#"{"amount":1200.5,"note":""}"#, to: .null, "fee")
    try await logbook.lose(WireValue(harbour), to: WireValue(UUID().uuidString), "harbourID")
    let history = try history()
    let entries = try await entries(history)
    let fee = try #require(Decimal(string: "1200.5"))
    #expect(
      entries.reversed().map(\.losing.value) == [
        .text("Lastovo"), .missing, .number(4), .words(Self.label("closed")),
        .collection(Self.label("2 people"), own: ["Ivo"]), .amount(fee, currencyCode: "EUR"),
        .text("Zadar"),
      ])
    #expect(
      entries.reversed().map(\.winning.value) == [
        .text("Kornati"), .text("Alma"), .number(6), .words(Self.label("open")),
        .collection(Self.label("1 people"), own: []), .missing, .words(Self.label("a harbour")),
      ])
    #expect(
      entries.reversed().map { $0.label.in(.english) }
        == ["Name", "Ship", "Berths", "Access", "Crew", "Fee", "Harbour"])
    for entry in entries {
      #expect(entry.row == nil && entry.reason == .later && entry.choices.contains(.losing))
      #expect(entry.losing.isFromThisDevice && entry.losing.date == Logbook.now)
      #expect(!entry.winning.isFromThisDevice && entry.winning.date == Logbook.now + 3_600)
      try await history.choose(.losing, of: entry.id)
    }
    let cruise = try #require(try await logbook.stored())
    #expect(cruise.name == "Lastovo" && cruise.ship == nil && cruise.berths == 4)
    #expect(!cruise.isOpen && cruise.crew == ["Ana", "Ivo"] && cruise.fee?.amount == fee)
    #expect(cruise.harbourID == logbook.harbour.id)
    #expect(cruise.revision == 8, "dependent columns follow each change")
    #expect(try await self.entries(history).allSatisfy { !$0.choices.contains(.losing) })
  }

  @Test func `An entry has the same id in each reading, and each conflict has another id`()
    async throws
  {
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    let first = try await only(history())
    try await logbook.lose("Vis", to: "Kornati", "name", hour: 2)
    let ids = try await entries(history()).map(\.id)
    #expect(ids.count == 2 && Set(ids).count == 2 && ids.last == first.id)
  }

  @Test func `Fields that were decided together are shown and used as one`() async throws {
    let (early, late) = (try Logbook.day(20), try Logbook.day(27))
    try await logbook.lose(WireValue("\(early)"), to: "2027-06-06", "firstDay")
    try await logbook.lose(WireValue("\(late)"), to: "2027-06-13", "lastDay")
    let entry = try await only(history())
    #expect(entry.label.in(.english) == "Days" && entry.choices.contains(.losing))
    #expect(entry.losing.value == .days(early, late))
    #expect(entry.winning.value == .days(try Logbook.day(6), try Logbook.day(13)))
    try await history().choose(.losing, of: entry.id)
    let cruise = try #require(try await logbook.stored())
    #expect(cruise.firstDay == early && cruise.lastDay == late)
  }

  @Test func `One of two fields is shown alone, and used only if the row is valid with it`()
    async throws
  {
    try await logbook.lose("2027-06-20", to: "2027-06-06", "firstDay")
    let late = try await only(history())
    let day = try Logbook.day(20)
    #expect(late.label.in(.english) == "First day" && late.losing.value == .days(day, day))
    #expect(!late.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) {
      try await history().choose(.losing, of: late.id)
    }
    try await logbook.lose("2027-06-27", to: "2027-06-13", "lastDay", hour: 2)
    let entries = try await entries(history())
    #expect(entries.map { $0.label.in(.english) } == ["Last day", "First day"])
    try await history().choose(.losing, of: entries[0].id)
    try await history().choose(.losing, of: late.id)
    #expect(try await logbook.stored()?.firstDay == day)
  }

  @Test func `A value that a constraint refuses changes nothing`() async throws {
    try await logbook.lose(0, to: 6, "berths")
    let entry = try await only(history())
    await #expect(throws: DatabaseError.self) { try await history().choose(.losing, of: entry.id) }
    let cruise = try #require(try await logbook.stored())
    #expect(cruise.berths == 6 && cruise.revision == 1)
  }

  @Test func `Two values with the same meaning are shown, and cannot be used again`() async throws {
    try await logbook.lose(#"[ "Ana" ]"#, to: #"["Ana"]"#, "crew")
    let entry = try await only(history())
    #expect(entry.winning.value == entry.losing.value && entry.areEquivalent)
    #expect(!entry.choices.contains(.losing))
  }

  @Test func `Two values that look the same but differ can be used`() async throws {
    try await logbook.lose(
      #"{"amount":12,"note":"Deposit"}"#, to: #"{"amount":12,"note":""}"#, "fee")
    let entry = try await only(history())
    #expect(
      entry.winning.value == entry.losing.value && !entry.areEquivalent
        && entry.choices.contains(.losing)
    )
    try await history().choose(.losing, of: entry.id)
    #expect(try await logbook.stored()?.fee?.note == "Deposit")
    try await logbook.lose("Lastovo", to: nil, "name", of: logbook.cruise, logbook.cruise.id)
    #expect(try await entries(history()).allSatisfy { !$0.areEquivalent }, "a deletion is no value")
  }

  @Test func `Reading a history and using a losing value are logged`() async throws {
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    try await logbook.lose(0, to: 6, "berths", hour: 2)
    let entries = try await entries(history())
    await #expect(throws: DatabaseError.self) {
      try await history().choose(.losing, of: entries[0].id)
    }
    try await history().choose(.losing, of: entries[1].id)
    for try await _ in try history().changedPlaces() { break }
    let lines = logbook.log.lines.map { $0.prefix { !$0.isNumber } }
    #expect(
      lines == [
        "debug repository observeHistory", "debug repository decideConflict started",
        "error repository decideConflict failed in ",
        "debug repository decideConflict started",
        "info repository decideConflict completed in ",
        "debug repository observeChangedPlaces",
      ])
  }

  @Test func `Conflicts that a history cannot show are left out`() async throws {
    try await logbook.lose("Kornati", to: "Kornati", "name")
    try await logbook.lose(3, to: 1, "revision")
    try await logbook.lose("{", to: "[]", "crew")
    try await logbook.lose("six", to: 6, "berths")
    try await logbook.lose("soon", to: "2027-06-06", "firstDay")
    try await logbook.lose(1, to: 2, "columnOfALaterVersion")
    try await logbook.lose("Split", to: "Zadar", "name", of: logbook.harbour, logbook.harbour.id)
    #expect(try await entries(history()) == [])
    await #expect(throws: AppError.database(.notFound)) {
      try await history().choose(.losing, of: UUID())
    }
  }

  // MARK: - Decisions

  @Test func `A conflict is open until the winning value is confirmed`() async throws {
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    let history = try history()
    let open = try await only(history)
    #expect(open.isOpen && open.decision == nil && open.choices == [.winning, .losing])
    try await history.choose(.winning, of: open.id)
    let kept = try await only(history)
    #expect(!kept.isOpen && kept.choices == [.losing])
    #expect(kept.decision == .init(choice: .winning, author: .thisDevice, date: Logbook.now))
    #expect(try await logbook.stored()?.name == "Kornati")
    for try await places in history.changedPlaces() {
      #expect(Array(places.values) == [false])
      break
    }
  }

  @Test func `A decision for the winning value whose edit is cancelled is open again`() async throws
  {
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    let history = try history()
    try await history.choose(.winning, of: try await only(history).id)
    try await logbook.store.write { [outbox = logbook.store.replica.outbox] writer throws in
      let latest = try #require(try outbox.transactions(writer).last)
      #expect(try outbox.cancelTransaction(latest, writer))
    }
    let entry = try await only(history)
    #expect(entry.isOpen && entry.decision == nil && entry.choices == [.winning, .losing])
  }

  @Test func `A choice is stated with its author and date, and can be changed`() async throws {
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    let history = try history()
    let id = try await only(history).id
    try await history.choose(.losing, of: id)
    let chosen = try await only(history)
    #expect(chosen.decision == .init(choice: .losing, author: .thisDevice, date: Logbook.now))
    #expect(!chosen.isOpen && chosen.choices == [.winning])
    try await history.choose(.winning, of: id)
    #expect(try await logbook.stored()?.name == "Kornati")
    #expect(try await only(history).choices.contains(.losing))
    try await logbook.store.write { [cruise = logbook.cruise] writer in
      try Cruise.find(cruise.id).update(writer) { [$0.name.set("Vis")] }
    }
    let other = try await only(history)
    #expect(other.decision?.choice == nil && other.decision?.author == .thisDevice && !other.isOpen)
    #expect(other.choices == [.winning, .losing])
  }

  @Test func `Both texts are kept, one after the other, if the field defines how`() async throws {
    try await logbook.lose("Bella", to: "Alma", "ship")
    let joining = HistoryTable(
      Cruise.self, fields: [.text(\.ship, label: Self.label("Ship"), joinedBy: " & ")])
    let history = try history([joining])
    let entry = try await only(history)
    #expect(entry.choices == [.winning, .losing, .both])
    try await history.choose(.both, of: entry.id)
    #expect(try await logbook.stored()?.ship == "Alma & Bella")
    let joined = try await only(history)
    #expect(joined.decision?.choice == .both && joined.choices == [.winning, .losing])
    #expect(try await !only(self.history()).choices.contains(.both), "only if it says how")
  }

  @Test func `A member who changed the scope is named`() async throws {
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    #expect(try await only(history()).winning.author == .otherDevice)
    let scope = try logbook.scope
    let replica = logbook.store.replica
    let conflicts = try await logbook.store.read { try replica.conflicts(in: scope, $0) }
    let device = try #require(conflicts.first?.winningStamp.device)
    let members = try JSONDecoder().decode(
      [ScopeMember].self,
      from: Data(
        """
        [{"account": "\(UUID())", "name": "ben", "role": "editor", "devices": ["\(device)"]},
         {"account": "\(UUID())", "name": "old", "role": "viewer"}]
        """.utf8))
    try await ConflictMemory(of: logbook.store).setNames(of: members, in: scope)
    let entry = try await only(history())
    #expect(entry.winning.author == .member("ben") && entry.losing.author == .thisDevice)
  }

  // MARK: - Keys and rows

  @Test func `Each key of a column has its own history`() async throws {
    for (key, losing) in [("dawn", "{\"on\":false}"), ("dusk", "{\"on\":true}"), ("noon", "7")] {
      try await logbook.lose(
        WireValue(losing), to: #"{"on":true,"since":1}"#, "plan.\(key)", of: logbook.watches,
        logbook.watches.id)
    }
    let place = HistoryPlace(Watches.self, logbook.watches.id, key: "dawn")
    let dawn = try history([watches()], places: [place])
    let entry = try await only(dawn)
    #expect(entry.place == place && entry.place.key == "dawn")
    #expect(entry.losing.value == .words(Self.label("off")))
    #expect(entry.winning.value == .words(Self.label("on")) && entry.choices.contains(.losing))
    try await dawn.choose(.losing, of: entry.id)
    let plan = try await logbook.store.read { try Watches.all.first($0)?.plan }
    #expect(plan == #"{"dawn":{"on":false},"dusk":{"on":false}}"#)
    let all = try history([watches()])
    #expect(try await entries(all).map(\.place.key) == ["dusk", "dawn"], "“7” is not a watch")
    for try await places in all.changedPlaces() {
      #expect(Set(places.keys.map(\.key)) == ["dawn", "dusk"])
      break
    }
  }

  @Test func `A deleted row is created again if the table defines how`() async throws {
    try await logbook.store.write { try Watches.all.delete($0) }
    try await logbook.lose(
      #"{"on":true}"#, to: nil, "plan.dawn", of: logbook.watches, logbook.watches.id,
      because: .ended)
    let lost = try await only(history([watches(isRestorable: false)]))
    #expect(
      lost.winning.value == .deleted && lost.reason == .ended && !lost.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) {
      try await history([watches(isRestorable: false)]).choose(.losing, of: lost.id)
    }
    let entry = try await only(history([watches()]))
    #expect(entry.choices.contains(.losing))
    try await history([watches()]).choose(.losing, of: entry.id)
    let restored = try await logbook.store.read { try Watches.all.first($0) }
    #expect(restored?.plan == #"{"dawn":{"on":true}}"#)
  }

  @Test func `A row among several has a title, even if it was deleted`() async throws {
    try await logbook.lose("Split", to: "Zadar", "name", of: logbook.harbour, logbook.harbour.id)
    try await logbook.lose("Vis", to: nil, "name", of: logbook.harbour, UUID(), because: .ended)
    let entries = try await entries(history([Self.harbours]))
    #expect(entries.map { $0.row?.in(.english) } == ["“Former harbour”", "“Zadar”"])
    #expect(entries.map { $0.choices.contains(.losing) } == [false, true])
  }

  // MARK: - Scopes

  @Test func `A file without an account has no conflicts`() async throws {
    let alone = try await Logbook(isLinked: false)
    let history = History(of: try alone.scope, in: LoggedStore(alone.store), [Self.cruises])
    #expect(try await entries(history) == [])
    for try await places in history.changedPlaces() {
      #expect(places == [:])
      break
    }
  }

  @Test func `A thing that is not on this device has no history`() async throws {
    try await logbook.lose("Lastovo", to: "Kornati", "name")
    let entry = try await only(history())
    try await logbook.store.write { try Cruise.all.delete($0) }
    for try await content in try history().contents() {
      #expect(content == nil)
      break
    }
    await #expect(throws: AppError.database(.notFound)) {
      try await history().choose(.losing, of: entry.id)
    }
  }
}
