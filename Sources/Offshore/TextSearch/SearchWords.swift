/// The words that a user searches for.
///
/// The user's text cannot contain operators: it is split into words in the same way as indexed
/// texts.
struct SearchWords: Hashable, Sendable {
  /// The distinct words.
  let words: [String]
  /// The beginning of the last word; `nil` if only whole words match.
  let beginning: String?

  init(_ text: String, wholeWords: Bool) {
    let all = TextTokenizer.shared?.words(TextFolding.fold(text).bytes).map(\.text) ?? []
    let beginning = wholeWords ? nil : all.last
    self.beginning = beginning
    var seen: Set<String> = []
    words = (beginning == nil ? all : all.dropLast()).filter { seen.insert($0).inserted }
  }

  /// Whether the search has no words.
  var isEmpty: Bool { words.isEmpty && beginning == nil }

  /// The query in FTS5's syntax, each word in quotes
  /// (<https://sqlite.org/fts5.html#full_text_query_syntax>).
  var expression: String {
    // A word contains no quotes: the tokenizer accepts only letters and digits.
    (words.map { "\"\($0)\"" } + (beginning.map { ["\"\($0)\" *"] } ?? [])).joined(separator: " ")
  }

  /// Returns whether an indexed word is searched for.
  func contains(_ word: String) -> Bool {
    words.contains(word) || beginning.map { word.utf8.starts(with: $0.utf8) } == true
  }
}
