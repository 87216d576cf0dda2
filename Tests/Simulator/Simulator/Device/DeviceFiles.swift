import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Synchronization

/// An empty file of an app, copied for each device.
struct FileTemplate {
  /// A name that identifies the app.
  let name: String
  /// The statements that create the tables.
  let creation: [SQL]
  let replica: Replica
}

/// The files of a schedule's devices, in a folder that is deleted with this object.
final class DeviceFiles {
  let path: String
  private var made = 0
  /// The content of each app's empty file with tables and triggers, created once for all schedules.
  private static let templates = Mutex<[String: [UInt8]]>([:])

  /// Creates the folder.
  /// - Parameter seed: The schedule's seed. It is part of the folder's name, since a schedule that
  ///   crashes the process leaves its folder behind.
  init(seed: UInt64) throws {
    // The name is in no trace, so it may differ between runs.
    path = "\(Self.parent)/\(Self.prefix)\(getpid())-\(seed)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  private static let prefix = "offshore-simulator-"

  private static var parent: String {
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates a file with the tables of an app, prepared for syncing with a placeholder device id.
  func make(_ template: FileTemplate) throws -> String {
    let file = nextFile()
    let template = try Self.bytes(of: template, in: path)
    try Data(template).write(to: URL(filePath: file))
    return file
  }

  /// Copies a file whose connection is closed.
  func copy(_ file: String) throws -> String {
    let copy = nextFile()
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    return copy
  }

  private func nextFile() -> String {
    made += 1
    return "\(path)/\(made).sqlite"
  }

  static func open(_ file: String) throws -> Connection {
    try Connection(file, configuration: configuration)
  }

  static var configuration: DatabaseConfiguration {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    configuration.statementCacheCapacity = 512
    return configuration
  }

  // MARK: - Left folders

  /// Returns the folders of schedules whose process ended before they did, with their seeds.
  static func leftBehind() -> [(seed: UInt64, path: String)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return names.sorted().compactMap { name in
      guard name.hasPrefix(prefix) else { return nil }
      let words = name.dropFirst(prefix.count).split(separator: "-")
      guard words.count > 2, let process = pid_t(words[0]), let seed = UInt64(words[1]),
        kill(process, 0) != 0, errno == ESRCH
      else { return nil }
      return (seed, "\(parent)/\(name)")
    }
  }

  // MARK: - Templates

  private static func bytes(of template: FileTemplate, in folder: String) throws -> [UInt8] {
    try templates.withLock { templates in
      if let bytes = templates[template.name] { return bytes }
      let file = "\(folder)/template-\(template.name).sqlite"
      let connection = try open(file)
      for sql in template.creation { try connection.execute(sql) }
      let nobody = DeviceID(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
      try connection.write { try template.replica.outbox.install($0, device: nobody) }
      connection.close()
      let bytes = Array(try Data(contentsOf: URL(filePath: file)))
      templates[template.name] = bytes
      return bytes
    }
  }

  /// Replaces the device id in a new file, and resets its clock.
  static func rename(_ writer: Writer, to device: DeviceID) throws {
    let clock = HybridClock(device: device).latest
    try SQL(
      """
      UPDATE _state SET device = \(Data(device.encoded())), clock = \(Data(clock.encoded()))
      WHERE k = 1
      """
    ).run(writer)
  }
}
