import Foundation
import Testing

@testable import OffshoreFiles

/// The options of documents: the precision of dates, and the largest size.
@Suite(.timeLimit(.minutes(1)))
struct JSONConfigurationTests {
  private let folder: TestFolder
  private let seconds = JSONConfiguration(datePrecision: .seconds)

  init() throws { folder = try TestFolder() }

  @Test func `By default, dates have their full precision and a file has at most 64 MiB`() {
    let configuration = JSONConfiguration()
    #expect(configuration.datePrecision == .full)
    #expect(configuration.sizeLimit == 67_108_864)
  }

  // MARK: - Sizes

  @Test func `A file of exactly the largest size is stored and loaded, and no larger one`()
    async throws
  {
    for documents in [folder.open(), .inMemory()] {
      // Two quotes and a line break.
      let configuration = JSONConfiguration(sizeLimit: 10)
      let document = documents.document("t.json", default: "", configuration: configuration)
      try await document.save("1234567")
      #expect(try await document.reload() == "1234567")
      let error = await #expect(throws: FileError.self) { try await document.save("12345678") }
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("more than 10 bytes") == true)
      #expect(error?.message.contains("12345678") == false)
      #expect(try await document.reload() == "1234567")
    }
  }

  @Test func `A size is that of the bytes, not of the characters`() async throws {
    let configuration = JSONConfiguration(sizeLimit: 10)
    let document = folder.open().document("t.json", default: "", configuration: configuration)
    try await document.save("лод")
    await #expect(throws: FileError.self) { try await document.save("лодк") }
    #expect(folder.bytes("t.json")?.count == 9)
  }

  @Test func `Without room for anything, a missing file is still the default value`() async throws {
    let configuration = JSONConfiguration(sizeLimit: 0)
    let document = folder.open().document("t.json", default: 7, configuration: configuration)
    #expect(try await document.load() == 7)
    await #expect(throws: FileError.self) { try await document.save(8) }
    #expect(try folder.names() == [])
  }

  @Test func `A document over a smaller limit stays readable with the larger one`() async throws {
    let large = folder.open().document("n.json", default: [Int]())
    try await large.save(Array(0..<100))
    let small = folder.open().document(
      "n.json", default: [Int](), configuration: JSONConfiguration(sizeLimit: 50))
    for call in [
      { _ = try await small.load() }, { try await small.update { $0 = [] } },
      { _ = try await small.restoreLastGoodCopy() }, { _ = try await small.loadRestoring() },
    ] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .tooLarge)
    }
    #expect(try await large.reload() == Array(0..<100))
    #expect(try folder.names() == ["n.json", "n.json.backup"])
  }

  // MARK: - Precision

  @Test func `Any precision is loaded by both, and an unchanged value keeps its file`() async throws
  {
    let text = #"["2001-01-01T00:00:01.25Z", "2001-01-01T01:00:02+01:00"]"#
    let expected = [1.25, 2].map { Date(timeIntervalSinceReferenceDate: $0) }
    for configuration in [JSONConfiguration(), seconds] {
      try folder.write(text, to: "d.json")
      let document = folder.open().document(
        "d.json", default: [Date](), configuration: configuration)
      #expect(try await document.load() == expected)
      try await document.save(expected)
      try await document.update { _ in }
      #expect(folder.text("d.json") == text)
    }
  }

  @Test func `A change in whole seconds rounds all dates of the value, as loaded afterwards`()
    async throws
  {
    try folder.write(#"["2001-01-01T00:00:01.25Z"]"#, to: "d.json")
    let document = folder.open().document("d.json", default: [Date](), configuration: seconds)
    try await document.update { $0.append(Date(timeIntervalSinceReferenceDate: 2.75)) }
    let rounded = [1.0, 2].map { Date(timeIntervalSinceReferenceDate: $0) }
    #expect(try await document.load() == rounded)
    #expect(try await folder.open().document("d.json", default: [Date]()).load() == rounded)
  }

  @Test func `A collection in whole seconds delivers the dates that it has stored`() async throws {
    let notes = folder.open().collection("n.json", of: Note.self, configuration: seconds)
    var values = notes.values().makeAsyncIterator()
    #expect(try await values.next() == [])
    try await notes.upsert(Note("a", date: Date(timeIntervalSinceReferenceDate: 9.9)))
    let stored = [Note("a", date: Date(timeIntervalSinceReferenceDate: 9))]
    #expect(try await values.next() == stored)
    #expect(try await notes.reload() == stored)
  }
}
