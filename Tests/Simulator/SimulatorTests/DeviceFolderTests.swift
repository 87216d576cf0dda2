import OffshoreWire
import Testing

@testable import OffshoreSimulator

struct DeviceFolderTests {
  private let content: [UInt8] = [1, 2, 3]

  @Test func `A file that is added again is one file, and stays as long as a new one`() {
    var folder = DeviceFolder()
    let file = folder.add(content, at: 10)
    #expect(folder.add(content, at: 20) == file)
    #expect(folder.hashes == [ContentHash(of: content)])
    folder.remove(file.hash, ifUnchangedSince: 19)
    #expect(folder.contents[file.hash] == content)
    folder.remove(file.hash, ifUnchangedSince: 20)
    #expect(folder.hashes == [])
  }

  @Test func `Files without a recent addition are found`() {
    var folder = DeviceFolder()
    let old = folder.add(content, at: 10)
    folder.add([4], at: 20)
    #expect(folder.files(unchangedSince: 10) == [old.hash])
    #expect(folder.files(unchangedSince: 9) == [])
  }

  @Test func `A deletion without a time concerns each file`() {
    var folder = DeviceFolder()
    let file = folder.add(content, at: 10)
    folder.remove(file.hash)
    #expect(folder.contents.isEmpty)
  }
}
