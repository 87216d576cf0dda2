public import Foundation
package import OffshoreFiles

/// Records that all repositories of a folder share in memory, and that are stored in the files of
/// ``JSONFilePersistenceRepository``.
///
/// A save returns when it is stored. If that fails, the records in memory are as before, too.
public final class SharedPersistenceRepository: GroupRepository {
  package let group: any CollectionGroup<ScheduleChange>

  /// Creates a repository of the files in a folder, by default the app's data folder. Nothing is created before
  /// the first save.
  public convenience init(directory: URL? = nil) {
    self.init(directory: directory, ChangeStamp())
  }

  package init(directory: URL?, _ stamp: ChangeStamp) {
    let directory = directory ?? JSONFilePersistenceRepository.defaultDirectory
    group = SharedGroup(
      directory.path(percentEncoded: false),
      configuration: JSONFilePersistenceRepository.configuration, stamp: stamp)
  }
}
