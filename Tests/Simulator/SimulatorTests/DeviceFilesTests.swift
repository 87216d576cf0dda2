import Foundation
import Testing

@testable import OffshoreSimulator

struct DeviceFilesTests {
  @Test func `A folder's name has the seed, and a running process leaves no folder`() throws {
    let files = try DeviceFiles(seed: 4_711)
    #expect(files.path.contains("-4711-"))
    #expect(!DeviceFiles.leftBehind().contains { $0.path == files.path })
  }

  @Test func `The folder of a process that has ended is found with its seed`() throws {
    let files = try DeviceFiles(seed: 4_712)
    // No process has this id.
    let path = files.path.replacing("-\(getpid())-", with: "-\(pid_t.max)-")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let found = DeviceFiles.leftBehind().first { $0.path == path }
    #expect(found?.seed == 4_712)
  }
}
