extension FileError {
  /// A kind of failure. Further kinds may be added, so a `switch` over codes needs a default.
  ///
  /// | code | failure |
  /// | --- | --- |
  /// | `.corrupted` | The file cannot be decoded. It was set aside, and is not overwritten. |
  /// | `.newerVersion` | The file was stored by a newer version of the app. It stays as it is. |
  /// | `.upgradeFailed` | An upgrade of the file's content failed. The file stays as it is. |
  /// | `.tooLarge` | The file, or the value to store, is larger than ``JSONConfiguration/sizeLimit``. |
  /// | `.invalidValue` | The value cannot be stored: JSON cannot express a part of it. |
  /// | `.duplicateID` | Two elements of a collection to store have the same id. |
  /// | `.cannotOpen` | The file or its folder is not accessible. |
  /// | `.readOnly` | The folder does not allow writing. |
  /// | `.diskFull` | The disk is full. The file stays as it was. |
  /// | `.inputOutput` | The system could not read or write the file. |
  /// | `.busy` | Another process has been writing to the folder for too long. |
  /// | `.noCopy` | The document has no good copy to restore. |
  /// | `.targetNotEmpty` | The target of a copied collection has other elements. |
  /// | `.unproven` | A copied collection differs from its source, or the source has changed meanwhile. |
  /// | `.notABackup` | The data is not a backup of the group, or it is damaged. |
  /// | `.newerBackup` | A newer version of the library has made the backup. |
  /// | `.misuse` | A call is not allowed, such as one with a document of another folder. |
  ///
  /// The `description` of a code is its name, stable across releases.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case corrupted, newerVersion, upgradeFailed, tooLarge, invalidValue, duplicateID
      case cannotOpen, readOnly, diskFull, inputOutput, busy
      case noCopy, targetNotEmpty, unproven, notABackup, newerBackup, misuse
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }
  }
}

@_documentation(visibility: internal)
extension FileError.Code {
  /// The file cannot be decoded. It was set aside, and is not overwritten.
  public static let corrupted = Self(.corrupted)
  /// The file was stored by a newer version of the app. It stays as it is.
  public static let newerVersion = Self(.newerVersion)
  /// An upgrade of the file's content failed. The file stays as it is.
  public static let upgradeFailed = Self(.upgradeFailed)
  /// The file, or the value to store, is larger than the limit.
  public static let tooLarge = Self(.tooLarge)
  /// The value cannot be stored: JSON cannot express a part of it.
  public static let invalidValue = Self(.invalidValue)
  /// Two elements of a collection to store have the same id.
  public static let duplicateID = Self(.duplicateID)
  /// The file or its folder is not accessible.
  public static let cannotOpen = Self(.cannotOpen)
  /// The folder does not allow writing.
  public static let readOnly = Self(.readOnly)
  /// The disk is full. The file stays as it was.
  public static let diskFull = Self(.diskFull)
  /// The system could not read or write the file.
  public static let inputOutput = Self(.inputOutput)
  /// Another process has been writing to the folder for too long.
  public static let busy = Self(.busy)
  /// The document has no good copy to restore.
  public static let noCopy = Self(.noCopy)
  /// The target of a copied collection has other elements.
  public static let targetNotEmpty = Self(.targetNotEmpty)
  /// A copied collection differs from its source, or the source has changed meanwhile.
  public static let unproven = Self(.unproven)
  /// The data is not a backup of the group, or it is damaged.
  public static let notABackup = Self(.notABackup)
  /// A newer version of the library has made the backup.
  public static let newerBackup = Self(.newerBackup)
  /// A call is not allowed, such as one with a document of another folder.
  public static let misuse = Self(.misuse)

  /// The name of the kind, stable across releases.
  public var description: String { kind.rawValue }
}
