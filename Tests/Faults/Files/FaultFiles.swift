import Foundation
import OffshoreFiles
import Synchronization

/// A process for tests to kill, and one that writes beside another.
///
///     fault-files add FOLDER NAME COUNT      adds numbered elements to a collection, one by one
///     fault-files change FOLDER WHAT NUMBER  stores a number, and kills itself before an operation
///     fault-files follow FOLDER              prints each text of a document with its time
///
/// WHAT is `one` document, `several` documents, `shared` values, a `damaged` document, or the copy to
/// `restore`.
/// `change` prints the number of operations on files. `follow` stores each line of its input.
@main
struct FaultFiles {
  static func main() async throws {
    let arguments = CommandLine.arguments
    switch arguments.dropFirst().first {
    case "add" where arguments.count == 5:
      try await add(arguments[2], arguments[3], Int(arguments[4]) ?? 0)
    case "change" where arguments.count == 5:
      try await change(arguments[2], arguments[3], Int(arguments[4]) ?? 0)
    case "follow" where arguments.count == 3: try await follow(arguments[2])
    default:
      FileHandle.standardError.write(Data("usage: fault-files add|change|follow FOLDER …\n".utf8))
      exit(2)
    }
  }

  /// Prints a line with one call, so that the output contains it as a whole or not at all.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func add(_ folder: String, _ name: String, _ count: Int) async throws {
    let entries = DocumentFolder(folder).collection("entries.json", of: Entry.self)
    for number in 0..<count {
      try await entries.upsert(Entry(id: "\(name) \(number)", number: number))
      say("\(number)")
    }
  }

  // MARK: - Killed changes

  private static func change(_ path: String, _ kind: String, _ number: Int) async throws {
    let count = Mutex(0)
    var environment = FolderEnvironment()
    environment.pause = {}
    environment.operations.willPerform = { _ in
      let isLast = count.withLock { count in
        defer { count += 1 }
        return count == number
      }
      if isLast { kill(getpid(), SIGKILL) }
      return 0
    }
    let folder = DocumentFolder(path, environment)
    let numbers = ["a.json", "b.json", "c.json"].map { folder.document($0, default: 0) }
    switch kind {
    case "one": try await numbers[0].update { $0 += 1 }
    case "several":
      try await folder.update { update in
        for document in numbers { try update.change(document) { $0 += 1 } }
      }
    case "shared":
      let shared = ["a.json", "b.json", "c.json"].map {
        Shared<Int>(.file($0, in: folder), default: 0)
      }
      SharedChanges.together {
        for value in shared { value.change { $0 += 1 } }
      }
      try await shared[0].flush()
    case "damaged": _ = try? await numbers[0].load()
    default: try await numbers[0].restoreLastGoodCopy()
    }
    say("\(count.withLock { $0 })")
  }

  // MARK: - Two processes

  private static func follow(_ path: String) async throws {
    let document = JSONDocument(path + "/text.json", default: "")
    let store = Task {
      for await line in lines() { try await document.save(line) }
      exit(0)
    }
    for try await text in document.values() {
      say("\(DispatchTime.now().uptimeNanoseconds) \(text)")
    }
    try await store.value
  }

  /// The lines of the standard input.
  private static func lines() -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    Thread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }.start()
    return lines
  }
}

private struct Entry: Codable, Identifiable {
  let id: String
  let number: Int
}
