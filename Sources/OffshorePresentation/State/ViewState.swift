/// The state of a value on a screen: not requested, loading, loaded, empty or failed.
///
/// While a loaded value is read again, the state stays ``loaded(_:)``.
public enum ViewState<Value> {
  /// The value was not requested yet.
  case idle
  /// The value is being read, and there is no earlier value to show.
  case loading
  /// The value.
  case loaded(Value)
  /// The value was read and has no content.
  case empty
  /// The value could not be read.
  case error(AppError)

  /// The value, if it is loaded.
  public var data: Value? { if case .loaded(let value) = self { value } else { nil } }

  /// The error, if the read failed.
  public var errorValue: AppError? { if case .error(let error) = self { error } else { nil } }

  /// Whether the value was not requested yet.
  public var isIdle: Bool { if case .idle = self { true } else { false } }

  /// Whether the value is being read without an earlier value to show.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// Whether the value was read and has no content.
  public var isEmpty: Bool { if case .empty = self { true } else { false } }

  /// Whether the value was read: it is loaded or empty.
  ///
  /// A screen that appears loads the value if it is neither known nor being read.
  public var isKnown: Bool { data != nil || isEmpty }

  /// Whether the read failed with an error after which a retry may succeed.
  public var isRetryable: Bool { errorValue?.isRetryable ?? false }

  /// Returns the state with the value transformed.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> ViewState<Other> {
    try flatMap { .loaded(try transform($0)) }
  }

  /// Returns the state that a closure returns for the value, or this state without a value.
  public func flatMap<Other>(
    _ transform: (Value) throws -> ViewState<Other>
  ) rethrows -> ViewState<Other> {
    switch self {
    case .idle: .idle
    case .loading: .loading
    case .loaded(let value): try transform(value)
    case .empty: .empty
    case .error(let error): .error(error)
    }
  }
}

extension ViewState {
  /// Returns the state of an optional value, in which `nil` is the error `database(.notFound)`.
  public func required<Present>() -> ViewState<Present> where Value == Present? {
    flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }
}

extension ViewState: Equatable where Value: Equatable {}
extension ViewState: Sendable where Value: Sendable {}

extension ViewState where Value: Collection {
  /// Creates the state of a collection: ``empty`` if it has no elements.
  public init(_ value: Value) { self = value.isEmpty ? .empty : .loaded(value) }
}
