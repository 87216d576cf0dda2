import CSQLite

/// The words of a text that the words of a search match.
public enum WordMatch: CaseIterable, Sendable {
  /// The same word; for the last word of the search every word that begins with it, because the user may
  /// still be typing it.
  case lastBegins
  /// Every word that begins with the word of the search.
  case allBegin
  /// The same word.
  case whole
}

/// The words that a user searches for.
///
/// The user's text cannot contain operators: it is split into words in the same way as indexed
/// texts.
struct SearchWords: Hashable, Sendable {
  /// The distinct words that whole words match.
  let words: [String]
  /// The distinct beginnings of words.
  let beginnings: [String]

  init(_ text: String, words match: WordMatch) {
    let all = TextTokenizer.shared?.words(TextFolding.fold(text).bytes).map(\.text) ?? []
    let beginningCount =
      switch match {
      case .lastBegins: min(all.count, 1)
      case .allBegin: all.count
      case .whole: 0
      }
    words = Self.distinct(all.dropLast(beginningCount))
    beginnings = Self.distinct(all.suffix(beginningCount))
  }

  private static func distinct(_ words: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }
  }

  /// Whether the search has no words.
  var isEmpty: Bool { words.isEmpty && beginnings.isEmpty }

  /// The query in FTS5's syntax, each word in quotes
  /// (<https://sqlite.org/fts5.html#full_text_query_syntax>).
  var expression: String {
    // A word contains no quotes: the tokenizer accepts only letters and digits.
    (words.map { "\"\($0)\"" } + beginnings.map { "\"\($0)\" *" }).joined(separator: " ")
  }

  /// Returns whether an indexed word is searched for.
  func contains(_ word: String) -> Bool {
    words.contains(word) || beginnings.contains { word.utf8.starts(with: $0.utf8) }
  }
}

extension TextIndex {
  /// Returns whether a search has words; otherwise it matches all rows.
  package static func hasWords(_ search: String) -> Bool {
    !SearchWords(search, words: .whole).isEmpty
  }
}

/// A search in the texts of a row, without the index.
struct WordFinder: Sendable {
  private let words: [[UInt8]]
  private let beginnings: [[UInt8]]

  /// The maximum number of words that are compared with each word of a text.
  private static let limit = 16

  /// Creates a finder, or `nil` if there are no words, or so many that the index is faster.
  init?(_ search: SearchWords) {
    guard !search.isEmpty, search.words.count + search.beginnings.count <= Self.limit
    else { return nil }
    words = search.words.map { Array($0.utf8) }
    beginnings = search.beginnings.map { Array($0.utf8) }
  }

  /// Returns whether all words occur in columns of a statement's current row.
  func findsAll(in statement: OpaquePointer, from start: Int, count: Int) -> Bool {
    var missing = Missing(self)
    for column in start..<(start + count) {
      guard let text = sqlite3_column_text(statement, Int32(column)) else { continue }
      let length = Int(sqlite3_column_bytes(statement, Int32(column)))
      search(in: UnsafeBufferPointer(start: text, count: length), &missing)
      if missing.isNone { return true }
    }
    return false
  }

  /// Returns whether all words occur in a text.
  func findsAll(in text: String) -> Bool {
    var (missing, text) = (Missing(self), text)
    text.withUTF8 { search(in: $0, &missing) }
    return missing.isNone
  }

  private func search(in text: UnsafeBufferPointer<UInt8>, _ missing: inout Missing) {
    guard text.contains(where: { $0 >= 0x80 }) else { return removeFound(text, &missing) }
    let folded = TextFolding.fold(String(decoding: text, as: UTF8.self)).bytes
    folded.withUnsafeBufferPointer { removeFound($0, &missing) }
  }

  private func removeFound(_ folded: UnsafeBufferPointer<UInt8>, _ missing: inout Missing) {
    TextTokenizer.shared?.forEachWord(of: folded) { word, _ in
      missing.remove(word, self)
      return !missing.isNone
    }
  }

  /// The words that have not been found yet.
  private struct Missing {
    private var words: [Int]
    private var beginnings: [Int]

    init(_ finder: WordFinder) {
      words = Array(finder.words.indices)
      beginnings = Array(finder.beginnings.indices)
    }

    var isNone: Bool { words.isEmpty && beginnings.isEmpty }

    mutating func remove(_ word: UnsafeRawBufferPointer, _ finder: WordFinder) {
      if !words.isEmpty { words.removeAll { finder.words[$0].elementsEqual(word) } }
      if !beginnings.isEmpty {
        beginnings.removeAll { word.starts(with: finder.beginnings[$0]) }
      }
    }
  }
}
