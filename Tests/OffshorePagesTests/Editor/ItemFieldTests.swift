import Foundation
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// Fields that refer to an item by its id.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ItemFieldTests {
  struct Trip: Identifiable, Equatable {
    let id: UUID
    var title = "Vis"
    var harborID: UUID?
  }

  @MainActor private final class Box {
    var trip: Trip?
    var harbors: [UUID] = []
  }

  private let box = Box()
  private let say = Localizer(.english, calendar: .utc)
  private let trip = Trip(id: UUID())

  private func draft(isNew: Bool = false) async -> Draft<Trip> {
    let fields: [DraftField<Trip>] = [
      .line("title", \.title, label: LocalizedText(verbatim: "Title")),
      .choice("harbor", \.harborID, label: LocalizedText(verbatim: "Harbor")) { [box] in
        [DraftChoice("", LocalizedText(verbatim: "None"))]
          + box.harbors.map { DraftChoice($0.uuidString, LocalizedText(verbatim: "Kut")) }
      },
    ]
    let draft = Draft(fields, blank: Trip(id: trip.id), isNew: isNew) { [box] in
      box.trip
    } store: { [box] change, blank in
      let trip = try change.merged(into: box.trip, blank: blank)
      box.trip = trip
      return trip
    }
    await draft.load()
    return draft
  }

  private func markup(_ draft: Draft<Trip>) -> String {
    DraftFieldView(draft.fields[1], of: draft, say).html.description
  }

  @Test(arguments: [true, false])
  func `An id that is not among the items is refused`(isNew: Bool) async {
    box.trip = isNew ? nil : trip
    box.harbors = [UUID()]
    let draft = await draft(isNew: isNew)
    for id in [UUID().uuidString, "no id"] {
      draft["harbor"] = id
      #expect(await draft.save() == nil)
      #expect(draft.problems.keys.sorted() == ["harbor"])
      #expect(markup(draft).contains(#"<option value="\#(id)" selected>Not on this device<"#))
    }
    draft["harbor"] = box.harbors[0].uuidString
    #expect(await draft.save()?.harborID == box.harbors[0])
    draft["harbor"] = ""
    #expect(await draft.save()?.harborID == nil)
  }

  @Test func `An item that was deleted since the form was opened is refused`() async {
    box.trip = trip
    box.harbors = [UUID()]
    let draft = await draft()
    draft["harbor"] = box.harbors[0].uuidString
    box.harbors = []
    #expect(await draft.save() == nil)
    #expect(box.trip?.harborID == nil)
  }

  @Test func `A stored item that is not on the device is shown, and stays`() async throws {
    let id = UUID()
    box.trip = Trip(id: trip.id, harborID: id)
    let draft = await draft()
    #expect(
      markup(draft).contains(#"<option value="\#(id.uuidString)" selected>Not on this device<"#))
    draft["title"] = "Hvar"
    #expect(await draft.save() == Trip(id: trip.id, title: "Hvar", harborID: id))
  }

  @Test func `An item of the device is the only choice of its id`() async {
    let id = UUID()
    box.harbors = [id]
    box.trip = Trip(id: trip.id, harborID: id)
    let markup = markup(await draft())
    #expect(markup.contains(#"<option value="\#(id.uuidString)" selected>Kut<"#))
    #expect(!markup.contains("Not on this device"))
  }
}
