import Foundation
import OffshoreFiles
import TestSupport
import Testing

/// Random changes by two objects, compared with a plain array.
@Suite(.timeLimit(.minutes(5)))
struct RandomCollectionTests {
  /// The expected elements, and those that each object knows.
  private struct Model {
    var elements: [Note] = []
    var known: [Set<String>?] = [nil, nil]

    /// - Parameter isUpdate: Whether only new elements become known.
    mutating func upsert(_ notes: [Note], by object: Int, isUpdate: Bool = false) {
      for note in notes {
        if !isUpdate { known[object]?.insert(note.id) }
        if let index = elements.firstIndex(where: { $0.id == note.id }) {
          elements[index] = note
        } else {
          elements.append(note)
          known[object]?.insert(note.id)
        }
      }
    }

    mutating func remove(_ ids: [String], by object: Int) {
      let existing = Set(elements.map(\.id)).intersection(ids)
      elements.removeAll { existing.contains($0.id) }
      known[object]?.subtract(ids)
    }

    mutating func replace(_ notes: [Note], by object: Int, keepsUnknown: Bool) {
      let ids = Set(notes.map(\.id))
      let unknown = elements.filter { note in
        keepsUnknown && !ids.contains(note.id) && known[object]?.contains(note.id) == false
      }
      elements = notes + unknown
      known[object] = ids
    }

    mutating func load(by object: Int) { known[object] = Set(elements.map(\.id)) }
  }

  private static func notes(_ random: inout SeededRandom) -> [Note] {
    let ids = (0..<random.number(below: 6)).map { _ in "\(random.number(below: 12))" }
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }.map { Note($0, "\(random.number(below: 3))") }
  }

  @Test(arguments: Engine.allCases)
  func `Random changes lead to the same elements everywhere`(_ engine: Engine) async throws {
    for seed in 0..<UInt64(Rounds.count(ofSoak: 200, else: 4)) {
      var random = SeededRandom(seed: seed)
      let place = try engine.makePlace()
      let objects = [place.open(), place.open()]
      var model = Model()
      for step in 0..<40 {
        let object = random.number(below: 2)
        let store = objects[object]
        let notes = Self.notes(&random)
        switch random.number(below: 6) {
        case 0:
          try await store.upsert(notes)
          model.upsert(notes, by: object)
        case 1:
          try await store.remove(notes.map(\.id))
          model.remove(notes.map(\.id), by: object)
        case 2:
          try await store.replaceAll(notes)
          model.replace(notes, by: object, keepsUnknown: false)
        case 3:
          try await store.replaceLoaded(notes)
          model.replace(notes, by: object, keepsUnknown: true)
        case 4:
          try await store.update { list in for note in notes { list.upsert(note) } }
          model.upsert(notes, by: object, isUpdate: true)
        default:
          _ = try await store.load()
          model.load(by: object)
        }
        let stored = try await place.open().load()
        try #require(stored == model.elements, "\(engine), seed \(seed), step \(step)")
      }
    }
  }
}
