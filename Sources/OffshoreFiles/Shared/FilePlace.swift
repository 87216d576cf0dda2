/// The form in which a shared value is stored in a document.
struct FileForm<Value: Sendable, Stored: Codable & Sendable>: Sendable {
  /// Returns the content while the file does not exist.
  let makeDefault: @Sendable (Value) -> Stored
  /// Returns the content for a value.
  let pack: @Sendable (Value) throws -> Stored
  /// Returns the value of a content.
  let unpack: @Sendable (Stored) -> Value

  init(
    default makeDefault: @escaping @Sendable (Value) -> Stored,
    pack: @escaping @Sendable (Value) throws -> Stored,
    unpack: @escaping @Sendable (Stored) -> Value
  ) {
    (self.makeDefault, self.pack, self.unpack) = (makeDefault, pack, unpack)
  }

  /// The form of an array as a collection.
  static func elements<Element>() -> Self
  where
    Value == [Element], Stored == ElementList<Element>, Element: Codable & Identifiable & Sendable,
    Element.ID: Sendable
  {
    Self(
      default: { elements in
        var list = ElementList<Element>()
        for element in elements { list.upsert(element) }
        return list
      }, pack: { try ElementList($0) }, unpack: { Array($0) })
  }
}

/// A document as the place of a shared value.
struct FilePlace<Value: Sendable, Stored: Codable & Sendable>: SharedPlace {
  private let document: JSONDocument<Stored>
  private let form: FileForm<Value, Stored>

  init(_ document: JSONDocument<Stored>, _ form: FileForm<Value, Stored>) {
    (self.document, self.form) = (document, form)
  }

  func observe(
    _ receive: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) async -> any Sendable {
    let number = await document.subscribe { [form] content in receive(content.map(form.unpack)) }
    return Subscription(document, number)
  }

  func check() async { await document.check() }

  func store(
    _ changes: [@Sendable (inout Value) -> Void], in update: FolderUpdate
  ) throws -> Value {
    try update.change(document) { content in
      var value = form.unpack(content)
      for change in changes { change(&value) }
      content = try form.pack(value)
      return value
    }
  }

  /// An observation, which ends when it is released.
  private final class Subscription: Sendable {
    private let document: JSONDocument<Stored>
    private let number: Int

    init(_ document: JSONDocument<Stored>, _ number: Int) {
      (self.document, self.number) = (document, number)
    }

    deinit {
      Task { [document, number] in await document.unsubscribe(number) }
    }
  }
}
