import Foundation
import Offshore
import OffshoreServer

/// The file with all data of a server.
enum DataFile {
  /// Opens a file, and creates it if it does not exist.
  /// - Throws: ``ToolError`` with the path, the reason and the remedy.
  static func open(_ path: String) throws(ToolError) -> SQLiteChangeLog {
    do {
      return try SQLiteChangeLog(path, epoch: .random(in: 1...(.max)))
    } catch let error as DatabaseError {
      throw ToolError("The data cannot be kept in “\(path)”. \(error.message)\(advice(path))")
    } catch {
      throw ToolError("The data cannot be kept in “\(path)”.\(advice(path))")
    }
  }

  /// Opens an existing file.
  /// - Throws: ``ToolError`` as ``open(_:)``, or if the file does not exist.
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
