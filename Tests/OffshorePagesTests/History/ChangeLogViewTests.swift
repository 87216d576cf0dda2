import Foundation
import OffshoreFiles
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// A log of changes with its buttons.
@MainActor struct ChangeLogViewTests {
  private typealias Feature = UndoFeature<NoteChange>

  private let say = Localizer(.english, calendar: .utc)

  private func change(_ edits: NoteEdit...) -> NoteChange {
    NoteChange(id: UUID(), moment: Date(timeIntervalSinceReferenceDate: 0), edits: edits)
  }

  private func markup(_ state: Feature.State, count: Int = 30) -> String {
    ChangeLogView(state, count: count, at: "/changes", say) { $0.texts }.html.description
  }

  @Test func `Each change has a sentence for each element, the latest first`() throws {
    let (bura, jugo) = (Note("Bura"), Note("Jugo"))
    var state = Feature.State()
    state.changes = [
      change(.note(ElementEdit(nil, bura))), change(.note(ElementEdit(bura, jugo))),
      change(.note(ElementEdit(jugo, nil))),
    ]
    let markup = markup(state)
    let places = try ["Deleted: Jugo", "Bura → Jugo", "Added: Bura"].map {
      try #require(markup.range(of: "<p>\($0)</p>")).lowerBound
    }
    #expect(places == places.sorted())
    #expect(self.markup(state, count: 2).contains("<p>Bura → Jugo</p>"))
    #expect(!self.markup(state, count: 2).contains("<p>Added: Bura</p>"))
  }

  @Test func `The next steps are named`() {
    let first = change(.note(ElementEdit(nil, Note("Bura"))))
    let second = change(.note(ElementEdit(nil, Note("Jugo"))))
    var state = Feature.State()
    state.changes = [first, second]
    #expect(markup(state).contains("Undo: Added: Jugo"))
    #expect(!markup(state).contains("Redo"))
    state.changes.append(
      NoteChange(id: UUID(), moment: .distantFuture, edits: second.inverseEdits))
    #expect(markup(state).contains("Undo: Added: Bura"))
    #expect(markup(state).contains("Redo: Added: Jugo"))
    #expect(markup(state).contains(#"name="undo" value="\#(first.id.uuidString)""#))
    #expect(markup(state).contains(#"name="redo" value="\#(second.id.uuidString)""#))
  }

  @Test func `Both versions of an element that has changed since are shown`() {
    var state = Feature.State()
    state.refusal = RefusedEdits(differences: [
      .note(ElementEdit(Note("Bura"), nil))
    ])
    let markup = markup(state)
    #expect(markup.contains("Expected: Bura") && markup.contains("Now: nothing"))
    #expect(markup.contains("No changes yet"))
  }

  @Test func `A change of many elements lists the first ones`() {
    var state = Feature.State()
    let edits = (0..<8).map { NoteEdit.note(ElementEdit(nil, Note("Note \($0)"))) }
    state.changes = [NoteChange(id: UUID(), moment: .distantPast, edits: edits)]
    let markup = markup(state)
    #expect(markup.contains("Note 4") && !markup.contains("Note 5"))
    #expect(markup.contains("and 3 more"))
  }

  @Test func `Its forms are actions of the feature`() throws {
    let id = UUID()
    let forms: [(Fields, Feature.Action?)] = [
      (["action": "undo", "undo": id.uuidString], .undoChange(id)),
      (["action": "redo", "redo": id.uuidString], .redoChange(id)),
      (["action": "revert", "change": id.uuidString], .revert(id)),
      (["action": "dismiss"], .dismiss), (["action": "delete"], nil),
    ]
    for (fields, action) in forms { #expect(try Feature.Action(PageForm(fields)) == action) }
    let invalid: [Fields] = [
      ["action": "revert", "change": "1"], ["action": "undo"], ["action": "redo", "redo": "1"],
    ]
    for fields in invalid {
      #expect(throws: HTTPError.self) { try Feature.Action(PageForm(fields)) }
    }
  }
}
