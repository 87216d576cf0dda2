import Foundation

/// The check that an erased device has no text of a user in any of its files.
struct ErasureChecks {
  let device: SimulatedDevice

  /// - Throws: ``Violation`` if a file has a text, an error of the file system.
  func run() throws {
    let path = device.file as NSString
    let folder = path.deletingLastPathComponent
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    where name.hasPrefix(path.lastPathComponent) {
      let content = Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      guard let text = Text.first(in: content) else { continue }
      throw Violation(.erasure, "\(device.name) was erased, and its file \(name) has \(text).")
    }
    guard device.folder.contents.isEmpty else {
      throw Violation(.erasure, "\(device.name) was erased, and has files of rows.")
    }
  }
}

extension Text {
  /// Returns the first text of a user in the content of a file: the mark, and the two numbers that
  /// identify the text.
  static func first(in content: [UInt8]) -> String? {
    let (point, digits) = (UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"))
    var rest = content[...]
    while let start = rest.firstIndex(of: mark) {
      rest = rest[(start + 1)...]
      let word = rest.prefix { $0 == point || digits.contains($0) }
      let parts = word.split(separator: point, omittingEmptySubsequences: false)
      if parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty {
        return String(decoding: content[start..<word.endIndex], as: UTF8.self)
      }
    }
    return nil
  }
}
