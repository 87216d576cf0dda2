import Foundation
import OffshoreCalendar
import Testing

@testable import OffshorePresentation

/// Forms with groups, rules over several fields, amounts, choices and rows without ids.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DraftRulesTests {
  struct Guest: Hashable {
    var name: String
    var share: Decimal?
  }

  struct Stay: Identifiable, Equatable {
    let id: UUID
    var title = ""
    var first: CalendarDay?
    var last: CalendarDay?
    var currency = "EUR"
    var price: Decimal?
    var guests: [Guest] = []
    var extras: Set<UUID> = []

    static let fields: [DraftField<Stay>] = [
      .line("title", \.title, label: .init(verbatim: "Title"), limit: 9),
      .day("first", \.first, label: .init(verbatim: "First day"), isRequired: true)
        .grouped("days"),
      .day("last", \.last, label: .init(verbatim: "Last day")).grouped("days").checking { stay in
        guard let first = stay.first, let last = stay.last, last < first else { return nil }
        return LocalizedText(verbatim: "It ends before it starts.")
      },
      .amount(
        "price", \.price, label: .init(verbatim: "Price"), in: .english, currency: \.currency
      ).explaining(.init(verbatim: "No such price.")),
      .line("currency", \.currency, label: .init(verbatim: "Currency")),
      .rows(
        "guests", values: \.guests, label: .init(verbatim: "Guests"),
        fields: { stay in
          [
            .line("name", \.name, label: .init(verbatim: "Name"), isRequired: true),
            .amount(
              "share", \.share, label: .init(verbatim: "Share"), in: .english,
              currency: { _ in stay?.currency ?? "EUR" }),
          ]
        },
        title: { .init(verbatim: "Guest \($0)") }, add: .init(verbatim: "Add"),
        new: { Guest(name: "") }),
      .choices("extras", \.extras, label: .init(verbatim: "Extras"), of: { [] }),
    ]
  }

  @MainActor private final class Box { var stay: Stay? }

  private let box = Box()
  private let id = UUID()

  private func draft(isNew: Bool = false) -> Draft<Stay> {
    Draft(Stay.fields, blank: Stay(id: id), isNew: isNew) { [box] in
      box.stay
    } store: { [box] change, blank in
      let stay = try change.merged(into: box.stay, blank: blank)
      box.stay = stay
      return stay
    }
  }

  private func loaded(_ stay: Stay) async -> Draft<Stay> {
    box.stay = stay
    let draft = draft()
    await draft.load()
    return draft
  }

  private var stay: Stay {
    Stay(
      id: id, title: "Split", first: CalendarDay("2027-06-12"), last: CalendarDay("2027-06-19"),
      price: 12)
  }

  @Test func `A rule over several fields is checked beside the problems of each`() async throws {
    let draft = draft(isNew: true)
    draft["title"] = "Too long a title"
    draft["first"] = "2027-06-12"
    draft["last"] = "2027-06-11"
    draft["price"] = "-1"
    #expect(await draft.save() == nil)
    #expect(Set(draft.problems.keys) == ["title", "last", "price"])
    #expect(draft.problems["last"]?.in(.english) == "It ends before it starts.")
    #expect(draft.problems["price"]?.in(.english) == "No such price.")
    draft["first"] = "2027-02-30"
    #expect(Set(draft.validated().problems.keys) == ["title", "first", "price"])
    draft["first"] = ""
    #expect(draft.validated().problems["first"]?.in(.english) == "Fill in this field.")
    #expect(draft.validated().entry.last == CalendarDay("2027-06-11"))
    let problems = Stay.fields.problems(of: draft.validated().entry)
    #expect(Set(problems.keys) == ["title", "first", "price"])
  }

  @Test func `Fields of a group are one value for merging`() async throws {
    let draft = await loaded(stay)
    draft["last"] = "2027-06-20"
    box.stay?.first = CalendarDay("2027-06-13")
    box.stay?.title = "Hvar"
    #expect(await draft.save() == nil)
    #expect(draft.saveError == .sync(.conflict) && Set(draft.conflicts) == ["first", "last"])
    #expect(draft["first"] == "2027-06-12" && draft["title"] == "Hvar")
    let saved = try #require(await draft.save())
    #expect(saved.first == CalendarDay("2027-06-12") && saved.last == CalendarDay("2027-06-20"))
    #expect(saved.title == "Hvar")
  }

  @Test func `An invalid stored value stays, unless its field is edited`() async throws {
    var stored = stay
    stored.price = Decimal(string: "0.0005")
    let draft = await loaded(stored)
    draft["title"] = "Hvar"
    #expect(await draft.save()?.price == stored.price)
    draft["price"] = "0.0006"
    #expect(await draft.save() == nil && draft.problems["price"] != nil)
  }

  @Test func `A new entry under the id of another one is not stored`() async throws {
    let first = draft(isNew: true)
    first["title"] = " Split "
    first["first"] = "2027-06-12"
    first["price"] = "1,200"
    let texts = Dictionary(
      uniqueKeysWithValues: Stay.fields.map { ($0.name, first[$0.name]) })
    let saved = try #require(await first.save())
    let again = draft(isNew: true)
    again.restore(texts, origins: [:])
    #expect(await again.save() == saved)
    again.restore(texts, origins: [:])
    again["title"] = "Hvar"
    #expect(await again.save() == nil)
    #expect(again.existingEntry == saved && again.saveError == nil && again["title"] == "Hvar")
    #expect(box.stay == saved)
  }

  @Test func `Rows without ids are merged, and equal ones are distinguished`() async throws {
    let (ada, ben, cem) = (Guest(name: "Ada", share: 1), Guest(name: "Ben"), Guest(name: "Cem"))
    var stored = stay
    stored.guests = [ada, ada, ben]
    let draft = await loaded(stored)
    let rows = [DraftRow](text: draft["guests"])
    #expect(Set(rows.map(\.id)).count == 3)
    let other = await loaded(stored)
    #expect(draft["guests"] == other["guests"], "ids are derived")
    box.stay?.guests = [ada, ada, ben, cem]
    #expect(draft.change(DraftRowChange(.remove, "guests.\(rows[0].id)")))
    #expect(await draft.save()?.guests == [ada, ben, cem])
    let renamed = await loaded(try #require(box.stay))
    var named = [DraftRow](text: renamed["guests"])
    named[1].texts["name"] = "Eve"
    named[0].texts["share"] = "much"
    renamed["guests"] = named.text
    #expect(await renamed.save() == nil)
    #expect(Array(renamed.problems.keys) == ["guests.\(named[0].id).share"])
    named[0].texts["share"] = "1.50"
    renamed["guests"] = named.text
    #expect(await renamed.save()?.guests.map(\.name) == ["Ada", "Eve", "Cem"])
  }

  // MARK: - Forms that are sent

  /// Creates a form as a page sends it; its new rows have new ids.
  private func sent(by form: Draft<Stay>, without missing: Set<String> = []) -> Draft<Stay> {
    let names = Stay.fields.map(\.name).filter { !missing.contains($0) }
    let draft = draft()
    draft.restore(
      Dictionary(uniqueKeysWithValues: names.map { ($0, form[$0]) }),
      origins: form.origins.filter { !missing.contains(String($0.key.prefix { $0 != "." })) })
    return draft
  }

  private func type(
    _ text: String, _ field: String = "name", inRow index: Int, of draft: Draft<Stay>
  ) {
    var rows = [DraftRow](text: draft["guests"])
    rows[index].texts[field] = text
    draft["guests"] = rows.text
  }

  private func add(_ name: String, to draft: Draft<Stay>) {
    #expect(draft.change(DraftRowChange(.add, "guests")))
    type(name, inRow: [DraftRow](text: draft["guests"]).count - 1, of: draft)
  }

  @Test func `A form that is sent again changes nothing`() async throws {
    var stored = stay
    stored.guests = ["Ada", "Ben", "Cem"].map { Guest(name: $0) }
    let form = await loaded(stored)
    form["title"] = " Hvar "
    form["price"] = "1,200.00"
    type("Ann ", inRow: 0, of: form)
    type("1,500", "share", inRow: 0, of: form)
    let cem = [DraftRow](text: form["guests"])[2].id
    #expect(form.change(DraftRowChange(.remove, "guests.\(cem)")))
    add(" Dan", to: form)
    let saved = try #require(await sent(by: form).save())
    #expect(
      saved.guests == [Guest(name: "Ann", share: 1500), Guest(name: "Ben"), Guest(name: "Dan")])
    let again = sent(by: form)
    #expect(await again.save() == saved && again.saveError == nil && again.conflicts.isEmpty)
    box.stay?.guests.append(Guest(name: "Eve"))
    #expect(await sent(by: form).save()?.guests.map(\.name) == ["Ann", "Ben", "Dan", "Eve"])
  }

  @Test func `A guest with the name of another one is stored, and once if sent again`()
    async throws
  {
    var stored = stay
    stored.guests = [Guest(name: "Ada"), Guest(name: "Ben")]
    let form = await loaded(stored)
    type("Ben", inRow: 0, of: form)
    add("Ben", to: form)
    for _ in 0..<2 {
      #expect(await sent(by: form).save()?.guests == Array(repeating: Guest(name: "Ben"), count: 3))
    }
  }

  @Test func `Two forms that add the same guest store one`() async throws {
    var stored = stay
    stored.guests = [Guest(name: "Ada")]
    let (first, second) = (await loaded(stored), await loaded(stored))
    for form in [first, second] { add("Ben", to: form) }
    type("Ann", inRow: 0, of: first)
    #expect(await sent(by: first).save()?.guests.map(\.name) == ["Ann", "Ben"])
    #expect(await sent(by: second).save()?.guests.map(\.name) == ["Ann", "Ben"])
  }

  @Test func `A field that a form does not have stays, and is present in the next form`()
    async throws
  {
    var stored = stay
    stored.guests = [Guest(name: "Ada")]
    let form = await loaded(stored)
    form["title"] = "Hvar"
    let earlier = sent(by: form, without: ["first", "price", "guests"])
    box.stay?.price = 15
    #expect(await earlier.save()?.price == 15)
    #expect(box.stay?.title == "Hvar" && box.stay?.guests == stored.guests)
    #expect(box.stay?.first == stay.first)
    let shown = sent(by: form, without: ["first", "price", "guests"])
    await shown.load()
    #expect(shown["price"] == "15" && shown["first"] == "2027-06-12" && shown["title"] == "Hvar")
    box.stay?.price = 16
    #expect(await sent(by: shown).save()?.price == 16, "A field that was filled is not edited.")
    let new = draft(isNew: true)
    box.stay = nil
    new.restore(["title": "Hvar"], origins: [:])
    #expect(await new.save() == nil && Array(new.problems.keys) == ["first"])
    new.restore(["title": "Hvar", "first": "2027-06-12"], origins: [:])
    #expect(await new.save()?.currency == "EUR")
  }

  @Test func `Values that are set leave the texts of other fields as they were typed`()
    async throws
  {
    let draft = await loaded(stay)
    draft["price"] = "much"
    draft["title"] = " Split "
    var entry = draft.validated().entry
    entry.currency = "USD"
    draft.fill(with: entry)
    #expect(draft["currency"] == "USD" && draft["price"] == "much" && draft["title"] == " Split ")
  }

  @Test func `A choice that was deleted is reported, and then not chosen any more`() async throws {
    let (here, gone) = (UUID(), UUID())
    let fields: [DraftField<Stay>] = [
      .choices("extras", \.extras, label: .init(verbatim: "Extras")) {
        [DraftChoice(here.uuidString, .init(verbatim: "Breakfast"))]
      }
    ]
    let draft = Draft(fields, blank: Stay(id: id), isNew: true) {
      nil
    } store: { change, blank in
      let stay = try change.merged(into: nil, blank: blank)
      guard !stay.extras.contains(gone) else {
        throw DraftError.invalid(["extras": .init(verbatim: "It was deleted.")])
      }
      return stay
    }
    draft["extras"] = "\(here)\n\(gone)"
    #expect(await draft.save() == nil && draft["extras"] == here.uuidString)
    #expect(await draft.save()?.extras == [here])
  }

  @Test func `The amounts of rows have the decimals of the entry's currency`() async throws {
    let draft = await loaded(stay)
    draft["currency"] = "JPY"
    #expect(draft.change(DraftRowChange(.add, "guests")))
    var rows = [DraftRow](text: draft["guests"])
    (rows[0].texts["name"], rows[0].texts["share"]) = ("Ada", "1.50")
    draft["guests"] = rows.text
    #expect(await draft.save() == nil && draft.problems.count == 1)
    draft["currency"] = "EUR"
    #expect(await draft.save()?.guests == [Guest(name: "Ada", share: 1.5)])
  }

  @Test func `Chosen things are written one on each line`() async throws {
    let (one, other) = (UUID(), UUID())
    var stored = stay
    stored.extras = [one]
    let draft = await loaded(stored)
    #expect(draft["extras"] == one.uuidString)
    draft["extras"] += "\n\(other.uuidString)\nnonsense"
    #expect(await draft.save()?.extras == [one, other])
  }

  @Test func `A new form can start from a template`() async throws {
    let template = stay
    let draft = Draft(Stay.fields, blank: Stay(id: id), isNew: true) {
      nil
    } template: {
      template
    } store: { change, blank in
      try change.merged(into: nil, blank: blank)
    }
    #expect(!draft.isFilled)
    await draft.load()
    #expect(draft["title"] == "Split" && draft.origins.isEmpty)
    #expect(await draft.save() == template)
  }
}
