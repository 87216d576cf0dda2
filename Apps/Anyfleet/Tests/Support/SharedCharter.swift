package import Anyfleet
package import Foundation
import Offshore
package import OffshorePresentation
package import OffshoreSync
package import OffshoreWire
import TestSupport
import Testing

/// A charter that a skipper created and a mate joined, each on a separate phone.
@MainActor
package struct SharedCharter {
  package let fleet: SyncedFleet
  package let skipper: AppDependencies
  package let mate: AppDependencies
  package let charter: CharterModel
  package let checklist: Checklist

  /// Invites the mate, who joins by the code.
  package init(
    mateIs role: Role = .editor,
    _ change: (inout AppDependencies.Environment) -> Void = { _ in },
    mateApp: (inout AppDependencies.Environment) -> Void = { _ in }
  ) async throws {
    fleet = try SyncedFleet()
    skipper = try await fleet.makeApp(of: "skipper", change)
    mate = try await fleet.makeApp(of: "mate", mateApp)
    (charter, checklist) = try await skipper.makeCharter()
    try await skipper.waitForRole(.owner, in: charter.id)
    let crew = try skipper.makeCrew(charter.id)
    await crew.load()
    #expect(await crew.invite(as: role))
    let joining = JoinModel(mate.sync)
    joining.code = try #require(crew.invitation?.code)
    #expect(await joining.join()?.value == charter.id.uuidString)
    try await mate.waitForRole(role, in: charter.id)
    for app in [skipper, mate] {
      let crew = try app.makeCrew(charter.id)
      await crew.load()
      await waitUntil { crew.members.data?.count == 2 }
    }
  }

  /// Returns the id of an item of the checklist.
  package func item(_ number: Int) -> UUID { checklist.items[number].id }

  package func tick(_ number: Int, _ isChecked: Bool = true, on app: AppDependencies) async throws {
    try await app.local.saveItemState(
      checklistID: checklist.id, charterID: charter.id, itemID: item(number),
      isChecked: isChecked)
  }

  package func setAirplane(_ isOn: Bool) async throws {
    for app in [skipper, mate] { try await app.sync.setAirplane(isOn) }
  }

  /// Waits until a phone shows an item ticked or not.
  package func waitForTick(_ number: Int, _ isChecked: Bool = true, on app: AppDependencies)
    async throws
  {
    let values = app.local.progress(checklistID: checklist.id, charterID: charter.id)
    for try await items in values
    where items.checkedItems.contains(item(number)) == isChecked { return }
  }

  /// Stores a note of the skipper, and waits until the mate has it.
  package func noteOnBoth(_ number: Int, _ note: String) async throws {
    try await skipper.local.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: item(number), note: note)
    _ = try await mate.waitForState(checklist.id, charter.id) {
      $0.itemStates[item(number)]?.note == note
    }
  }

  /// The history of an item on a phone.
  package func history(_ number: Int, on app: AppDependencies) throws -> History {
    try app.makeItemHistory(
      item(number), checklistID: checklist.id, charterID: charter.id)
  }

  /// Waits until the history of an item has entries.
  package func entries(_ number: Int, on app: AppDependencies) async throws -> [HistoryEntry] {
    try await entries(of: history(number, on: app))
  }

  /// Waits until a history has entries.
  package func entries(of history: History) async throws -> [HistoryEntry] {
    for try await content in history.contents() {
      if let entries = content?.entries, !entries.isEmpty { return entries }
    }
    return []
  }

  /// Makes two concurrent ticks: the skipper unticks an item; the mate unticks it too and ticks it
  /// again later.
  package func makeConcurrentTicks() async throws {
    try await tick(0, on: skipper)
    try await waitForTick(0, on: mate)
    try await setAirplane(true)
    try await tick(0, false, on: skipper)
    try await tick(0, false, on: mate)
    try await tick(0, on: mate)
    try await setAirplane(false)
    for app in [skipper, mate] {
      _ = try await entries(0, on: app)
      try await waitForTick(0, on: app)
    }
  }

  /// Makes two concurrent names, "Lastovo" by the skipper and "Vis" by the mate. Their clocks
  /// decide which one stays.
  package func makeConcurrentNames() async throws -> (stayed: String, lost: String) {
    try await setAirplane(true)
    try await rename("Lastovo", on: skipper)
    try await rename("Vis", on: mate)
    try await setAirplane(false)
    for app in [skipper, mate] {
      _ = try await entries(of: #require(app.makeCharterHistory(charter.id)))
    }
    let decided = try await skipper.waitForCharter(charter.id) { $0.name != charter.name }?.name
    let stayed = try #require(decided)
    _ = try await mate.waitForCharter(charter.id) { $0.name == stayed }
    return stayed == "Vis" ? ("Vis", "Lastovo") : ("Lastovo", "Vis")
  }

  private func rename(_ name: String, on app: AppDependencies) async throws {
    try await app.local.changeCharter(charter.id) { $0.name = name }
  }

  package func end() async { await fleet.end(skipper, mate) }
}

extension AppDependencies {
  /// The members of a charter.
  package func makeCrew(_ charterID: UUID) throws -> MembersModel {
    MembersModel(try ScopeID.charter(charterID), sync)
  }

  /// Creates a charter with the first checklist of the library.
  package func makeCharter(_ name: String = "Kornati") async throws -> (CharterModel, Checklist) {
    let checklist = try #require(try await local.fetchUserChecklists().first)
    let charter = CharterModel(
      id: charterStore.makeCharterID(), name: name, boatName: "Alma", location: "Biograd",
      startDate: .day(6, 6), endDate: .day(6, 13), createdAt: .day(1, 1), checkInChecklistID: nil)
    try await local.createCharter(charter, assigning: [checklist.id])
    return (charter, checklist)
  }

  /// Waits until the account has received its role in a charter.
  package func waitForRole(_ role: Role, in charterID: UUID) async throws {
    let access = makeCharterAccess(charterID)
    await access.load()
    await waitUntil { access.role == role }
  }

  /// Returns the reason why a charter is no longer on the phone, or `nil` if it is unknown.
  package func end(ofCharter id: UUID) async throws -> ScopeEnd? {
    try await database.store.end(of: ScopeID.charter(id))
  }

  /// Waits until a charter is not on the phone any more.
  package func waitUntilGone(_ charterID: UUID) async throws {
    for try await charter in local.charter(id: charterID) where charter == nil { return }
  }
}

extension HistoryValue {
  /// A tick, as a history shows it.
  package static let ticked = HistoryValue.words(LocalizedText(en: "ticked", ru: "отмечено"))
  /// An item that was unticked.
  package static let unticked = HistoryValue.words(
    LocalizedText(en: "unticked", ru: "отметка снята"))
}
