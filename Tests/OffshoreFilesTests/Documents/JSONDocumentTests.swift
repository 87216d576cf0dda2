import Foundation
import OffshoreFiles
import Testing

private struct Settings: Codable, Equatable, Sendable {
  var language = "en"
  var sizes: [Int] = []
}

/// A document in a file on the disk.
@Suite(.timeLimit(.minutes(1)))
struct JSONDocumentTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func document() -> JSONDocument<Settings> {
    folder.open().document("settings.json", default: Settings())
  }

  // MARK: - Loading and storing

  @Test func `A missing file is the default value, and loading creates nothing`() async throws {
    let path = folder.file("deep/er/settings.json")
    let document = JSONDocument(path, default: Settings(language: "ru"))
    #expect(try await document.load() == Settings(language: "ru"))
    #expect(try folder.names() == [])
    try await document.save(Settings(language: "hr"))
    #expect(try await JSONDocument(path, default: Settings()).load().language == "hr")
  }

  @Test func `A stored value is loaded by other objects and has a copy beside it`() async throws {
    let document = document()
    try await document.save(Settings(language: "ru"))
    #expect(try await document.load() == Settings(language: "ru"))
    #expect(try await self.document().load() == Settings(language: "ru"))
    #expect(try folder.names() == ["settings.json", "settings.json.backup"])
    #expect(folder.bytes("settings.json.backup") == folder.bytes("settings.json"))
    #expect(folder.text("settings.json")?.hasPrefix("{\n  \"language\" : \"ru\",\n") == true)
  }

  @Test func `An update returns the result of its closure, and stores nothing if that throws`()
    async throws
  {
    let document = document()
    let count = try await document.update { settings in
      settings.sizes = [1, 2]
      return settings.sizes.count
    }
    #expect(count == 2)
    await #expect(throws: CancellationError.self) {
      try await document.update { settings in
        settings.sizes = []
        throw CancellationError()
      }
    }
    #expect(try await document.load().sizes == [1, 2])
    #expect(try await self.document().load().sizes == [1, 2])
  }

  @Test func `An update applies to the value that another object has stored meanwhile`()
    async throws
  {
    let (one, two) = (document(), document())
    try await one.save(Settings(sizes: [1]))
    try await two.update { $0.sizes.append(2) }
    try await one.update { $0.sizes.append(3) }
    #expect(try await two.load().sizes == [1, 2, 3])
  }

  @Test func `An unchanged value does not touch the file`() async throws {
    let document = document()
    try await document.save(Settings(sizes: [1]))
    let number = try folder.number(of: "settings.json")
    try await document.save(Settings(sizes: [1]))
    try await document.update { $0.sizes = [1] }
    try await self.document().save(Settings(sizes: [1]))
    #expect(try folder.number(of: "settings.json") == number)
    try await document.save(Settings(sizes: [2]))
    #expect(try folder.number(of: "settings.json") != number)
  }

  @Test func `An unchanged value keeps a file that was written by hand`() async throws {
    let text = #"{"sizes":[1],"language":"en","comment":"mine"}"#
    try folder.write(text, to: "settings.json")
    let document = document()
    let settings = try await document.load()
    try await document.save(settings)
    try await document.update { _ in }
    #expect(folder.text("settings.json") == text)
    try await document.update { $0.sizes.append(2) }
    #expect(folder.text("settings.json")?.hasPrefix("{\n  \"language\"") == true)
  }

  @Test func `An update without effect creates no file, and saving the default creates it`()
    async throws
  {
    let document = document()
    try await document.update { _ in }
    #expect(try folder.names() == [])
    try await document.save(Settings())
    #expect(try folder.names().contains("settings.json"))
  }

  @Test func `A value edited in place by another program is loaded`() async throws {
    let document = document()
    try await document.save(Settings(language: "en"))
    try folder.write(#"{"language": "hr", "sizes": []}"#, to: "settings.json")
    #expect(try await document.load().language == "hr")
    #expect(try await document.reload().language == "hr")
    try FileManager.default.removeItem(atPath: folder.file("settings.json"))
    #expect(try await document.load() == Settings())
  }

  @Test func `Dates stored in whole seconds are the same before and after a restart`() async throws
  {
    let configuration = JSONConfiguration(datePrecision: .seconds)
    let date = Date(timeIntervalSinceReferenceDate: 5.75)
    let document = folder.open().document("d.json", default: [Date](), configuration: configuration)
    try await document.save([date])
    #expect(try await document.load() == [Date(timeIntervalSinceReferenceDate: 5)])
    let other = folder.open().document("d.json", default: [Date](), configuration: configuration)
    #expect(try await other.load() == [Date(timeIntervalSinceReferenceDate: 5)])
    let number = try folder.number(of: "d.json")
    try await document.save([date])
    #expect(try folder.number(of: "d.json") == number)
  }

  // MARK: - Files of the system

  @Test func `New files are for their user only, and an existing file keeps its permissions`()
    async throws
  {
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
    }
    let path = folder.file("new/settings.json")
    let document = JSONDocument(path, default: Settings())
    try await document.save(Settings(language: "ru"))
    #expect(try mode("new") == 0o700)
    #expect(try mode("new/settings.json") == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try await document.save(Settings(language: "hr"))
    #expect(try mode("new/settings.json") == 0o644)
  }

  @Test func `A relative path is that of the working folder`() throws {
    let document = JSONDocument("a/../b/x.json", default: 0)
    #expect(document.path == FileManager.default.currentDirectoryPath + "/b/x.json")
    #expect(document.name == "x.json")
    #expect(JSONDocument("/x.json", default: 0).folder.path == "/")
  }

  @Test(arguments: ["", ".", "..", "a/b.json", ".offshore-lock", "x.json.backup"])
  func `A name that is not that of a file of the folder is refused`(_ name: String) async throws {
    let document = folder.open().document(name, default: 0)
    let error = await #expect(throws: FileError.self) { try await document.load() }
    #expect(error?.code == .misuse)
    await #expect(throws: FileError.self) { try await document.save(1) }
    #expect(try folder.names() == [])
  }

  @Test func `A link, a folder and a pipe are refused, and stay`() async throws {
    try folder.write("7", to: "target.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.json"), withDestinationPath: folder.file("target.json"))
    try FileManager.default.createDirectory(
      atPath: folder.file("folder.json"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.file("pipe.json"), 0o600) == 0)
    for name in ["link.json", "folder.json", "pipe.json"] {
      let document = folder.open().document(name, default: 0)
      for call in [{ _ = try await document.load() }, { try await document.save(8) }] {
        let error = await #expect(throws: FileError.self, "\(name)") { try await call() }
        #expect(error?.code == .cannotOpen, "\(name)")
        #expect(error?.message.contains("“\(name)” is not a file") == true)
      }
    }
    #expect(folder.text("target.json") == "7")
    #expect(
      try folder.names() == ["folder.json", "link.json", "pipe.json", "target.json"])
  }

  @Test func `A folder in place of which there is a file is refused`() async throws {
    try folder.write("x", to: "file")
    let document = JSONDocument(folder.file("file/settings.json"), default: 0)
    let error = await #expect(throws: FileError.self) { try await document.save(1) }
    #expect(error?.code == .cannotOpen)
  }

  // MARK: - Values that cannot be stored

  @Test func `A value that JSON cannot express is refused, and the file stays`() async throws {
    let document = folder.open().document("n.json", default: [Double]())
    try await document.save([1.5])
    let before = folder.bytes("n.json")
    let error = await #expect(throws: FileError.self) { try await document.save([.nan]) }
    #expect(error?.code == .invalidValue)
    #expect(error?.cause is EncodingError)
    #expect(folder.bytes("n.json") == before)
    #expect(try await document.load() == [1.5])
  }

  @Test func `A value or a file over the limit is refused, and the file stays`() async throws {
    let configuration = JSONConfiguration(sizeLimit: 30)
    let document = folder.open().document("n.json", default: [Int](), configuration: configuration)
    try await document.save([1])
    let before = folder.bytes("n.json")
    let error = await #expect(throws: FileError.self) { try await document.save(Array(0..<30)) }
    #expect(error?.code == .tooLarge)
    #expect(folder.bytes("n.json") == before)

    try folder.write("[" + String(repeating: " ", count: 40) + "]", to: "n.json")
    for call in [{ _ = try await document.load() }, { try await document.save([2]) }] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .tooLarge)
    }
    #expect(folder.bytes("n.json")?.count == 42)
    #expect(try folder.names() == ["n.json", "n.json.backup"])
  }

  // MARK: - Versions

  @Test func `A former version is upgraded when loaded, and its file when stored`() async throws {
    try folder.write(#"{"language": "en", "sizes": [1]}"#, to: "settings.json")
    let upgrade = DocumentUpgrade { (old: Settings) in old.sizes.map(String.init) }
    func document() -> JSONDocument<[String]> {
      folder.open().document("settings.json", default: [], upgrades: [upgrade])
    }
    #expect(try await document().load() == ["1"])
    #expect(folder.text("settings.json")?.hasPrefix("{\"language\"") == true)
    let current = document()
    try await current.save(["1"])
    #expect(folder.text("settings.json")?.hasSuffix("\"version\" : 1\n}\n") == true)
    #expect(try await document().load() == ["1"])
  }

  @Test func `A newer version is refused and not overwritten`() async throws {
    let text = #"{"version": 4, "value": {}}"#
    try folder.write(text, to: "settings.json")
    let document = document()
    for call in [
      { _ = try await document.load() }, { try await document.save(Settings()) },
      { try await document.update { $0.sizes = [] } },
    ] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .newerVersion)
      #expect(error?.message.contains("“settings.json” has version 4") == true)
    }
    #expect(folder.text("settings.json") == text)
    #expect(try folder.names() == ["settings.json"])
  }

  @Test func `A failed upgrade leaves the file as it is`() async throws {
    let text = #"{"language": "en", "sizes": []}"#
    try folder.write(text, to: "settings.json")
    let upgrade = DocumentUpgrade { (_: Settings) -> Int in throw CancellationError() }
    let document = folder.open().document("settings.json", default: 0, upgrades: [upgrade])
    for call in [{ _ = try await document.load() }, { try await document.save(1) }] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .upgradeFailed)
      #expect(error?.cause is CancellationError)
    }
    #expect(folder.text("settings.json") == text)
  }
}
