import Testing

@testable import MessAI

/// The columns of the queue, and the status that follows from them.
struct QueuePlaceTests {
  private func row(_ status: MessageStatus, isSynced: Bool = false) -> MessageRow {
    MessageRow(.sample("m1", status: status), isSynced: isSynced)
  }

  @Test func `Each place sets all columns of the queue`() {
    let columns = [
      (QueuePlace.sent, true, false), (.waiting, false, true), (.held, false, false),
    ]
    for (place, isSynced, needsSync) in columns {
      var row = row(.sending)
      row.setPlace(place, attempts: 3, error: "no")
      #expect(row.isSynced == isSynced && row.needsSync == needsSync, "\(place)")
      #expect(row.syncAttempts == 3 && row.lastSyncError == "no" && row.status == .sending)
      row.setPlace(place)
      #expect(row.syncAttempts == 0 && row.lastSyncError == nil, "\(place)")
    }
  }

  @Test func `A move to a place changes only a status that contradicts it`() {
    let moves: [(QueuePlace, [MessageStatus: MessageStatus])] = [
      (.sent, [.sending: .sent, .failed: .sent]), (.waiting, [.failed: .sending]),
      (.held, [.sending: .failed]),
    ]
    for (place, changes) in moves {
      for status in MessageStatus.allCases {
        var row = row(status)
        row.move(to: place)
        #expect(row.status == changes[status] ?? status, "\(place) \(status)")
      }
    }
  }

  @Test func `The fifth refusal lets a message wait for its author`() {
    var row = row(.sending)
    for attempt in 1...MessageRow.attemptLimit {
      #expect(row.status == .sending && row.needsSync)
      row.addAttempt(error: "no \(attempt)")
      #expect(row.syncAttempts == attempt && row.lastSyncError == "no \(attempt)")
    }
    #expect(row.status == .failed && !row.needsSync && !row.isSynced)
  }

  @Test func `A saved message has the place of its status`() {
    #expect(QueuePlace(isSynced: true, .failed) == .sent)
    #expect(QueuePlace(isSynced: false, .failed) == .held)
    #expect(QueuePlace(isSynced: false, .read) == .waiting)
  }
}
