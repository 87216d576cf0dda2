import CSQLite
import Synchronization

/// FTS5's tokenizer, which splits texts into words in the same way as for the indexes.
///
/// It belongs to a connection in memory that has no other use.
final class TextTokenizer: Sendable {
  /// A word in its indexed form, and its range in the folded text.
  struct Word: Equatable, Sendable {
    let text: String
    let range: Range<Int>
  }

  /// The declaration of the tokenizer in SQL.
  static let declaration = "unicode61 remove_diacritics 2"

  /// The tokenizer of the process, or `nil` if this SQLite has no FTS5.
  static let shared = TextTokenizer()

  private struct State: @unchecked Sendable {  // Used with the lock held.
    let connection: OpaquePointer
    let tokenizer: fts5_tokenizer
    let instance: OpaquePointer
  }

  private let state: Mutex<State>

  private init?() {
    var handle: OpaquePointer?
    guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      let handle, let made = Self.make(handle)
    else {
      sqlite3_close_v2(handle)
      return nil
    }
    state = Mutex(State(connection: handle, tokenizer: made.0, instance: made.1))
  }

  deinit {
    state.withLock {
      $0.tokenizer.xDelete?($0.instance)
      sqlite3_close_v2($0.connection)
    }
  }

  /// Returns the words of a folded text in order.
  func words(_ bytes: [UInt8]) -> [Word] {
    var words: [Word] = []
    bytes.withUnsafeBufferPointer { buffer in
      forEachWord(of: buffer) { word, range in
        words.append(Word(text: String(decoding: word, as: UTF8.self), range: range))
        return true
      }
    }
    return words
  }

  /// Calls a closure with each word of a folded text and its range, until the closure returns
  /// `false`.
  func forEachWord(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ body: (_ word: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool
  ) {
    withoutActuallyEscaping(body) { body in
      let receiver = Receiver(body)
      bytes.withMemoryRebound(to: CChar.self) { text in
        state.withLock { state in
          _ = state.tokenizer.xTokenize?(
            state.instance, Unmanaged.passUnretained(receiver).toOpaque(), 0, text.baseAddress,
            Int32(clamping: text.count)
          ) { context, _, token, count, start, end in
            guard let context, let token else { return SQLITE_OK }
            let word = UnsafeRawBufferPointer(start: token, count: Int(count))
            let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
            return receiver.body(word, Int(start)..<Int(end)) ? SQLITE_OK : SQLITE_DONE
          }
        }
      }
    }
  }

  private final class Receiver {
    let body: (UnsafeRawBufferPointer, Range<Int>) -> Bool

    init(_ body: @escaping (UnsafeRawBufferPointer, Range<Int>) -> Bool) { self.body = body }
  }

  /// Creates the tokenizer by FTS5's interface (<https://sqlite.org/fts5.html#extending_fts5>).
  private static func make(_ handle: OpaquePointer) -> (fts5_tokenizer, OpaquePointer)? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    defer { sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    _ = withUnsafeMutablePointer(to: &api) { pointer in
      "fts5_api_ptr".withCString { type in
        sqlite3_bind_pointer(statement, 1, pointer, type, nil)
        return sqlite3_step(statement)
      }
    }
    guard let api else { return nil }
    var (context, tokenizer): (UnsafeMutableRawPointer?, fts5_tokenizer) = (nil, fts5_tokenizer())
    guard api.pointee.xFindTokenizer?(api, "unicode61", &context, &tokenizer) == SQLITE_OK else {
      return nil
    }
    var instance: OpaquePointer?
    let code = "remove_diacritics".withCString { name in
      "2".withCString { value in
        var arguments: [UnsafePointer<CChar>?] = [name, value]
        return tokenizer.xCreate?(context, &arguments, 2, &instance)
      }
    }
    guard code == SQLITE_OK, let instance else { return nil }
    return (tokenizer, instance)
  }
}
