import CSQLite

/// A search in the texts of a row, without the index.
struct WordFinder: Sendable {
  private let words: [[UInt8]]
  private let beginning: [UInt8]?

  /// The maximum number of words that are compared with each word of a text.
  private static let limit = 16

  /// Creates a finder, or `nil` if there are no words, or so many that the index is faster.
  init?(_ search: SearchWords) {
    guard !search.isEmpty, search.words.count <= Self.limit else { return nil }
    words = search.words.map { Array($0.utf8) }
    beginning = search.beginning.map { Array($0.utf8) }
  }

  /// Returns whether all words occur in columns of a statement's current row.
  func findsAll(in statement: OpaquePointer, from start: Int, count: Int) -> Bool {
    var missing = Missing(self)
    for column in start..<(start + count) {
      guard let text = sqlite3_column_text(statement, Int32(column)) else { continue }
      let length = Int(sqlite3_column_bytes(statement, Int32(column)))
      look(in: UnsafeBufferPointer(start: text, count: length), &missing)
      if missing.isNone { return true }
    }
    return false
  }

  /// Returns whether all words occur in a text.
  func findsAll(in text: String) -> Bool {
    var (missing, text) = (Missing(self), text)
    text.withUTF8 { look(in: $0, &missing) }
    return missing.isNone
  }

  private func look(in text: UnsafeBufferPointer<UInt8>, _ missing: inout Missing) {
    guard text.contains(where: { $0 >= 0x80 }) else { return note(text, &missing) }
    let folded = TextFolding.fold(String(decoding: text, as: UTF8.self)).bytes
    folded.withUnsafeBufferPointer { note($0, &missing) }
  }

  private func note(_ folded: UnsafeBufferPointer<UInt8>, _ missing: inout Missing) {
    TextTokenizer.shared?.forEachWord(of: folded) { word, _ in
      missing.note(word, self)
      return !missing.isNone
    }
  }

  /// The words that have not been found yet.
  private struct Missing {
    private var words: [Int]
    private var isBeginning: Bool

    init(_ finder: WordFinder) {
      words = Array(finder.words.indices)
      isBeginning = finder.beginning != nil
    }

    var isNone: Bool { words.isEmpty && !isBeginning }

    mutating func note(_ word: UnsafeRawBufferPointer, _ finder: WordFinder) {
      if !words.isEmpty { words.removeAll { finder.words[$0].elementsEqual(word) } }
      if isBeginning, let beginning = finder.beginning {
        isBeginning = !word.starts(with: beginning)
      }
    }
  }
}
