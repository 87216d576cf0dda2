public import Foundation
package import OffshoreFiles
import OffshoreSync

/// Records in JSON files that people can read: `shift_types.json`, `locations.json`, `shifts.json` and, for the
/// changes, `changes.json`.
///
/// A change of several files is stored whole or not at all. A file that cannot be read is set aside, and loading
/// it throws `FileError` with the code `corrupted` until it is restored or saved.
public final class JSONFilePersistenceRepository: GroupRepository {
  package let files: FileGroup<ScheduleChange>

  package var group: any CollectionGroup<ScheduleChange> { files }

  /// The form of the files: moments are in whole seconds, which any decoder reads.
  static let configuration = JSONConfiguration(datePrecision: .seconds)

  /// The folder of the app in the home of the user.
  package static var defaultDirectory: URL {
    URL(filePath: UserDataFolder(of: "shiftscheduler").path, directoryHint: .isDirectory)
  }

  /// Creates a repository of the files in a folder, by default the app's data folder. Nothing is created before
  /// the first save.
  public convenience init(directory: URL? = nil) {
    let directory = directory ?? Self.defaultDirectory
    self.init(DocumentFolder(directory.path(percentEncoded: false)), ChangeStamp())
  }

  package init(_ folder: DocumentFolder, _ stamp: ChangeStamp) {
    files = FileGroup(folder, configuration: Self.configuration, stamp: stamp)
  }
}
