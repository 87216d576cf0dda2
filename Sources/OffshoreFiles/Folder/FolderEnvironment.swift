package import Foundation

/// The surroundings of a folder, which tests replace.
package struct FolderEnvironment: Sendable {
  /// The operations on files.
  package var operations = FileOperations()
  /// The milliseconds to wait for another writer.
  package var lockLimit = 10_000
  /// The current time, for the names of damaged files.
  package var now: @Sendable () -> Date = { Date() }
  /// A random number, which names the files of a change.
  package var random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  /// Waits until another program may have completed a file that it writes in place. It blocks the
  /// thread.
  package var pause: @Sendable () -> Void = { usleep(50_000) }

  package init() {}
}
