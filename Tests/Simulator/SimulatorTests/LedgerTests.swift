import OffshoreWire
import Testing

@testable import OffshoreSimulator

struct LedgerTests {
  private func write(_ text: String, _ column: String = "title") -> Ledger.Write {
    Ledger.Write(row: Samples.card, column: column, text: Array(text.utf8))
  }

  @Test func `A later write replaces a write that was not sent`() {
    var ledger = Ledger()
    ledger.note(write("~1.1"))
    ledger.note(write("~1.2"))
    ledger.note(write("~1.3", "note"))
    #expect(ledger.owed == [write("~1.2"), write("~1.3", "note")])
    // The server orders edits of notes, so a device need not show its own.
    #expect(ledger.own == [write("~1.2")])
  }

  @Test func `A sent write is not owed any more`() {
    var ledger = Ledger()
    ledger.note(write("~1.1"))
    ledger.noteSent([Array("~1.1".utf8)])
    ledger.note(write("~1.2"))
    #expect(ledger.sent == [write("~1.1")])
    #expect(ledger.owed == [write("~1.2")])
  }

  @Test func `The texts of a column have the order in which they were written`() {
    var ledger = Ledger()
    let texts = ["~1.1", "~1.2", "~1.3"].map { Array($0.utf8) }
    ledger.note(write("~1.1"))
    ledger.noteSent([texts[0]])
    ledger.note(write("~1.2"))
    #expect(ledger.isEarlier(texts[0], than: texts[1]))
    #expect(!ledger.isEarlier(texts[1], than: texts[0]))
    #expect(!ledger.isEarlier(texts[0], than: texts[0]))
    // The text of another device has no place.
    #expect(!ledger.isEarlier(Array("~2.1".utf8), than: texts[1]))
    #expect(ledger.former(Samples.card, "title", before: texts[1]) == texts[0])
    #expect(ledger.former(Samples.card, "title", before: texts[0]) == nil)
    // The user writes the first text again, such as by a refused change that is made again.
    ledger.note(write("~1.1"))
    #expect(ledger.isEarlier(texts[1], than: texts[0]))
    // The server orders edits of notes.
    ledger.note(write("~1.3", "note"))
    ledger.noteSent(Set(texts))
    #expect(!ledger.sentPlain.contains(write("~1.3", "note")))
  }

  @Test func `A cancellation is subtracted from a counter, and a removed row is not checked`() {
    let (votes, views) = (
      Ledger.Counter(row: Samples.card, column: "votes"),
      Ledger.Counter(row: RowID(table: "boards", id: "b1"), column: "views")
    )
    var ledger = Ledger()
    ledger.add(3, to: votes)
    ledger.add(2, to: votes)
    ledger.noteTakenBack([votes: 9, views: 1], [votes: 7])
    #expect(ledger.counts == [votes: 3])
    #expect(ledger.uncounted == [views.row])
  }

  @Test func `A deletion ends the writes before it`() {
    var ledger = Ledger()
    ledger.note(write("~1.1"))
    // The row is changed, deleted and inserted again.
    ledger.noteGone([Samples.card: 1])
    for text in ["~1.2", "~1.3"] { ledger.note(write(text)) }
    #expect(["~1.1", "~1.2", "~1.3"].map { ledger.isGone(write($0)) } == [true, true, false])
    ledger.forgetDeletions(of: [Samples.card])
    #expect(!ledger.isGone(write("~1.1")))
  }

  @Test func `A cancelled write is removed`() {
    var ledger = Ledger()
    ledger.note(write("~1.1"))
    ledger.forgetOwed { $0.text == Array("~1.1".utf8) }
    ledger.forgetOwn { _ in true }
    #expect(ledger.owed == [])
    #expect(ledger.own == [])
  }

  @Test func `The writes of a row are removed after a decision about it`() {
    var ledger = Ledger()
    ledger.note(write("~1.1"))
    ledger.noteSent([Array("~1.1".utf8)])
    ledger.note(write("~1.2"))
    let other = Ledger.Write(
      row: RowID(table: "notes", id: "n1"), column: "body", text: Array("~1.3".utf8))
    ledger.note(other)
    ledger.forget(Samples.card)
    #expect(ledger.sent == [] && ledger.owed == [other] && ledger.own == [other])
  }
}
