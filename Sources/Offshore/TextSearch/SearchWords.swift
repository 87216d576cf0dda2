/// The words that a user searches for.
///
/// Nothing in the user's text is an operator: it is cut into words as the texts of an index are.
struct SearchWords: Hashable, Sendable {
  /// The words, each once.
  let words: [String]
  /// The beginning of the last word, unless whole words are searched for.
  let beginning: String?

  init(_ text: String, wholeWords: Bool) {
    let all = TextTokenizer.shared?.words(TextFolding.fold(text).bytes).map(\.text) ?? []
    let beginning = wholeWords ? nil : all.last
    self.beginning = beginning
    var seen: Set<String> = []
    words = (beginning == nil ? all : all.dropLast()).filter { seen.insert($0).inserted }
  }

  /// Whether there is nothing to search for.
  var isEmpty: Bool { words.isEmpty && beginning == nil }

  /// The query in FTS5's language, each word in quotes (<https://sqlite.org/fts5.html#full_text_query_syntax>).
  var expression: String {
    // A word has no quote: the tokenizer takes letters and digits alone.
    (words.map { "\"\($0)\"" } + (beginning.map { ["\"\($0)\" *"] } ?? [])).joined(separator: " ")
  }

  /// Whether an indexed word is searched for.
  func contains(_ word: String) -> Bool {
    words.contains(word) || beginning.map { word.utf8.starts(with: $0.utf8) } == true
  }
}
