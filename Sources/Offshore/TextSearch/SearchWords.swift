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

  /// Creates a search of some of the words of another one.
  /// - Parameter isIncluded: returns whether a word is included, by its position among `words` or `beginnings`.
  fileprivate init(
    _ search: Self, words isIncluded: (Int) -> Bool, beginnings isBeginningIncluded: (Int) -> Bool
  ) {
    words = search.words.indices.filter(isIncluded).map { search.words[$0] }
    beginnings = search.beginnings.indices.filter(isBeginningIncluded).map { search.beginnings[$0] }
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

  /// Returns the words that do not occur in columns of a statement's current row.
  func missing(in statement: OpaquePointer, from start: Int, count: Int) -> Missing {
    var missing = Missing(self)
    for column in start..<(start + count) {
      guard let text = sqlite3_column_text(statement, Int32(column)) else { continue }
      let length = Int(sqlite3_column_bytes(statement, Int32(column)))
      search(in: UnsafeBufferPointer(start: text, count: length), &missing)
      if missing.isNone { break }
    }
    return missing
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
  struct Missing {
    fileprivate private(set) var words: [Int]
    fileprivate private(set) var beginnings: [Int]

    fileprivate init(_ finder: WordFinder) {
      words = Array(finder.words.indices)
      beginnings = Array(finder.beginnings.indices)
    }

    var isNone: Bool { words.isEmpty && beginnings.isEmpty }

    fileprivate mutating func remove(_ word: UnsafeRawBufferPointer, _ finder: WordFinder) {
      if !words.isEmpty { words.removeAll { finder.words[$0].elementsEqual(word) } }
      if !beginnings.isEmpty {
        beginnings.removeAll { word.starts(with: finder.beginnings[$0]) }
      }
    }
  }

  /// The number of rows in which each word is missing.
  struct Misses {
    private var words: [Int]
    private var beginnings: [Int]
    private var rowCount = 0

    init(_ finder: WordFinder) {
      words = Array(repeating: 0, count: finder.words.count)
      beginnings = Array(repeating: 0, count: finder.beginnings.count)
    }

    /// Counts a row.
    /// - Parameter missing: the words that do not occur in it.
    mutating func count(_ missing: Missing) {
      rowCount += 1
      for word in missing.words { words[word] += 1 }
      for beginning in missing.beginnings { beginnings[beginning] += 1 }
    }

    /// Returns the words that are missing in at least half of the rows, or all words if there are none.
    func rareWords(of search: SearchWords) -> SearchWords {
      let rare = SearchWords(
        search, words: { words[$0] * 2 >= rowCount },
        beginnings: { beginnings[$0] * 2 >= rowCount })
      return rare.isEmpty ? search : rare
    }
  }
}
