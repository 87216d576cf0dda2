import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OffshoreFiles

private struct Refused: Error {}

/// The values that a place has delivered.
private final class Delivered<Value: Sendable>: Sendable {
  private let received = Mutex<[Value?]>([])
  var values: [Value?] { received.withLock { $0 } }
  func append(_ result: Result<Value?, any Error>) {
    received.withLock { $0.append(try? result.get()) }
  }
}

/// The places of shared values, and the boxes that the holders of a location share.
@Suite(.timeLimit(.minutes(1)))
struct SharedPlacesTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func box<Value>(_ location: SharedLocation<Value>, _ value: Value) -> SharedBox<Value> {
    SharedPlaces.box(location, value) { try await waitUntilCancelled() }
  }

  // MARK: - Boxes

  @Test func `A location and a type have one box, and another type has another`() {
    let location = SharedLocation<Int>.memory(folder.path)
    let one = box(location, 1)
    #expect(box(location, 2) === one)
    #expect(box(.memory(folder.path), 3) === one)
    let text = box(SharedLocation<String>.memory(folder.path), "text")
    #expect(text.value == "text")
    #expect(one.value == 1)
    #expect(box(.memory(folder.path + "/other"), 4) !== one)
  }

  @Test func `The files of one folder have one saver, and those of another have another`() {
    let one = box(.file(folder.file("one.json")), 1)
    let two = box(.file(folder.file("deep/../two.json")), "text")
    let deep = box(.file(folder.file("deep/one.json")), 1)
    #expect(one.saver === two.saver)
    #expect(one.saver !== deep.saver)
    #expect(one.saver.folder?.path == folder.path)
    // A folder object is independent of the path.
    let documents = folder.open()
    #expect(box(.file("one.json", in: documents), 1).saver !== one.saver)
    #expect(box(.file("one.json", in: documents), 1).saver.folder === documents)
    #expect(box(.memory(folder.path), 1).saver.folder == nil)
  }

  @Test func `A box and its saver end with their last holder`() {
    let location = SharedLocation<Int>.file(folder.file("one.json"))
    weak var released: SharedBox<Int>?
    weak var saver: SharedSaver?
    do {
      let holders = [box(location, 1), box(location, 2)]
      (released, saver) = (holders[0], holders[0].saver)
      #expect(released != nil && saver != nil)
    }
    #expect(released == nil && saver == nil)
    #expect(box(location, 5).value == 5)
  }

  @Test func `The lock can be acquired again, and passes on results and errors`() {
    let sum = SharedPlaces.locked { 1 + SharedPlaces.locked { 2 } }
    #expect(sum == 3)
    #expect(throws: Refused.self) { try SharedPlaces.locked { throw Refused() } }
    #expect(throws: Refused.self) { try SharedChanges.together { throw Refused() } }
    #expect(SharedPlaces.locked { "free" } == "free")
  }

  @Test func `Changes made together before an error stay`() async throws {
    let value = Shared(.file(folder.file("n.json")), default: 0) { try await waitUntilCancelled() }
    #expect(throws: Refused.self) {
      try SharedChanges.together {
        value.change { $0 += 1 }
        throw Refused()
      }
    }
    #expect(value.value == 1)
    try await value.flush()
    #expect(folder.text("n.json") == "1\n")
  }

  // MARK: - Memory

  @Test func `Memory applies changes in their order, and delivers its value once`() {
    let place = MemoryPlace([0])
    let delivered = Delivered<[Int]>()
    _ = place.observe { delivered.append($0) }
    #expect(place.store([{ $0.append(1) }, { $0 = $0.map { $0 + 1 } }]) == [1, 2])
    #expect(place.store([]) == [1, 2])
    place.check()
    #expect(delivered.values == [[0]])
    _ = place.observe { delivered.append($0) }
    #expect(delivered.values == [[0], [1, 2]])
  }

  @Test func `A place is stored in the way of its kind only`() async throws {
    let documents = folder.open()
    let error = await #expect(throws: FileError.self) {
      try await documents.update { try MemoryPlace(1).store([], in: $0) }
    }
    #expect(error?.code == .misuse)
    let file: any SharedPlace<Int> = FilePlace(
      documents.document("n.json", default: 1),
      FileForm<Int, Int>(default: { $0 }, pack: { $0 }, unpack: { $0 }))
    let alone = await #expect(throws: FileError.self) { try await file.store([]) }
    #expect(alone?.code == .misuse)
    #expect(try folder.names() == [])
  }

  // MARK: - Files

  @Test func `A file delivers the value of its form, and stores it in that form`() async throws {
    let documents = folder.open()
    let form = FileForm<Int, String>(
      default: { "\($0)" }, pack: { "\($0)" }, unpack: { Int($0) ?? -1 })
    let place = FilePlace(documents.document("n.json", default: "0"), form)
    let delivered = Delivered<Int>()
    let observation = await place.observe { delivered.append($0) }
    let stored = try await documents.update { update in
      try place.store([{ $0 += 4 }, { $0 *= 2 }], in: update)
    }
    #expect(stored == 8)
    #expect(folder.text("n.json") == "\"8\"\n")
    try folder.write("\"x\"", to: "other")
    #expect(rename(folder.file("other"), folder.file("n.json")) == 0)
    await place.check()
    #expect(delivered.values.contains(-1))
    #expect(delivered.values.prefix(2) == [0, 8])
    withExtendedLifetime(observation) {}
  }

  @Test func `A value that its form refuses is not stored`() async throws {
    let documents = folder.open()
    let form = FileForm<Int, Int>(
      default: { $0 }, pack: { if $0 > 1 { throw Refused() } else { $0 } }, unpack: { $0 })
    let place = FilePlace(documents.document("n.json", default: 0), form)
    await #expect(throws: Refused.self) {
      try await documents.update { try place.store([{ $0 = 2 }], in: $0) }
    }
    #expect(try folder.names() == [])
  }

  @Test func `The form of a collection keeps the order, and refuses two elements of one id`() throws
  {
    let form = FileForm<[Note], ElementList<Note>>.elements()
    let notes = [Note("b"), Note("a")]
    #expect(try form.unpack(form.pack(notes)) == notes)
    #expect(form.unpack(form.makeDefault([Note("a", "1"), Note("a", "2")])) == [Note("a", "2")])
    let error = #expect(throws: FileError.self) { try form.pack([Note("a"), Note("a")]) }
    #expect(error?.code == .duplicateID)
  }
}
