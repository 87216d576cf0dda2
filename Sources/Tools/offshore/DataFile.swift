import Foundation
import Offshore
import OffshoreServer

/// The file that a server keeps everything in.
enum DataFile {
  /// Opens it, making it where there is none.
  /// - Throws: ``ToolError`` that says which file cannot be used, why, and what to do.
  static func open(_ path: String) throws(ToolError) -> SQLiteChangeLog {
    do {
      return try SQLiteChangeLog(path, epoch: .random(in: 1...(.max)))
    } catch let error as DatabaseError {
      throw ToolError("The data cannot be kept in “\(path)”. \(error.message)\(advice(path))")
    } catch {
      throw ToolError("The data cannot be kept in “\(path)”.\(advice(path))")
    }
  }

  /// Opens a file that is there.
  /// - Throws: ``ToolError``, also where there is none.
  static func openExisting(_ path: String) throws(ToolError) -> SQLiteChangeLog {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ToolError(
        "There is no data in “\(path)”. Start the server once, or say by --data where its data is.")
    }
    return try open(path)
  }

  private static func advice(_ path: String) -> String {
    let parent = (path as NSString).deletingLastPathComponent
    let folder = parent.isEmpty ? "." : parent
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      return " There is no folder “\(folder)”: make it, or choose another by --data."
    }
    guard isFolder.boolValue else {
      return " “\(folder)” is a file: several apps have a folder, with a file NAME.sqlite of each."
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      return " This user may not write to the folder “\(folder)”: choose another by --data."
    }
    return ""
  }
}
