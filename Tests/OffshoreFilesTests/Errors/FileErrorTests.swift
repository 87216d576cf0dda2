import Foundation
import Testing

@testable import OffshoreFiles

/// The texts of errors, which name the file, and neither its folder nor values.
struct FileErrorTests {
  private let path = "/home/ada/charters.json"

  @Test func `The description has the code and the message, and no folder`() {
    let error = FileError(.newerVersion, "“charters.json” is newer.", path: path)
    #expect("\(error)" == "newerVersion: “charters.json” is newer.")
    #expect(error.file == "charters.json")
    #expect(FileError(.unproven, "No.").file == nil)
  }

  @Test func `The debug description adds the paths and the cause`() {
    var error = FileError(.corrupted, "Damaged.", path: path, cause: DuplicateID())
    error.setAside = path + ".damaged"
    error.lastGoodCopy = path + ".backup"
    #expect(
      String(reflecting: error) == """
        corrupted: Damaged.
        file: \(path)
        set aside: \(path).damaged
        last good copy: \(path).backup
        cause: \(String(reflecting: DuplicateID()))
        """)
  }

  @Test func `Errors of the same failure of the same file are equal`() {
    let error = FileError(.busy, "Busy.", path: path)
    #expect(error == FileError(.busy, "Busy.", path: path, cause: DuplicateID()))
    #expect(error != FileError(.busy, "Busy.", path: "/other"))
    #expect(error != FileError(.readOnly, "Busy.", path: path))
    var other = error
    other.setAside = "/aside"
    #expect(error != other)
  }

  @Test(arguments: [
    (ENOSPC, FileError.Code.diskFull), (EDQUOT, .diskFull), (EACCES, .readOnly), (EROFS, .readOnly),
    (EPERM, .readOnly), (ELOOP, .cannotOpen), (ENOTDIR, .cannotOpen), (EISDIR, .cannotOpen),
    (EIO, .inputOutput), (EMFILE, .inputOutput),
  ])
  func `A failed write has a code with a remedy`(_ number: Int32, _ code: FileError.Code) {
    let error = FileError(SystemError("written", number), path)
    #expect(error.code == code)
    #expect(error.message.contains("“charters.json”"))
    #expect(!error.message.contains("ada"))
    #expect(error.path == path)
    #expect(error.cause is SystemError)
  }

  @Test func `A file that cannot be read is another failure than one that cannot be written`() {
    #expect(FileError(SystemError(reading: EACCES), path).code == .cannotOpen)
    #expect(FileError(SystemError(reading: EIO), path).message.contains("cannot be read"))
    #expect(FileError(SystemError("written", EIO), path).message.contains("cannot be stored"))
    #expect("\(SystemError("renamed", EIO))" == "not renamed: Input/output error")
  }

  @Test func `A folder that does not allow writing is named as a folder`() {
    let error = FileError(SystemError("created", EROFS), folder: "/home/ada/charters")
    #expect(error.code == .readOnly)
    #expect(error.message.hasPrefix("Nothing was stored, because the folder “charters” does not"))
    #expect(error.path == "/home/ada/charters")
    let full = FileError(SystemError("created", ENOSPC), folder: "/home/ada/charters")
    #expect(full == FileError(SystemError("created", ENOSPC), "/home/ada/charters"))
  }

  @Test func `Each code has its own name`() {
    let codes: [FileError.Code] = [
      .corrupted, .newerVersion, .upgradeFailed, .tooLarge, .invalidValue, .duplicateID,
      .cannotOpen, .readOnly, .diskFull, .inputOutput, .busy, .noCopy, .targetNotEmpty, .unproven,
      .notABackup, .newerBackup, .misuse,
    ]
    #expect(Set(codes.map(\.description)).count == codes.count)
    #expect(FileError.Code.upgradeFailed.description == "upgradeFailed")
  }
}
