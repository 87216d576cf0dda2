import Foundation

/// The growth of this process's memory since a moment, as the kernel counts it.
struct ProcessMemory {
  private let start: Int

  /// Starts at the present size and resets the peak.
  init() throws {
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    start = try Self.bytes("VmRSS")
  }

  /// The bytes between the size at the start and the peak since.
  var added: Int { get throws { max(0, try Self.bytes("VmHWM") - start) } }

  private static func bytes(_ name: String) throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      .split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("\(name):") }),
      let size = Int(line.filter(\.isNumber))
    else { throw WrongResult(description: "The kernel does not state \(name).") }
    return size * 1024
  }
}
