/// What a screen shows of a value: nothing yet, that it is on its way, the value, or why not.
///
/// A refresh keeps showing what is there: the state stays ``loaded(_:)`` meanwhile.
public enum ViewState<Value> {
  /// Nothing was asked for yet.
  case idle
  /// The value is on its way, and there is none to show meanwhile.
  case loading
  /// The value.
  case loaded(Value)
  /// There is nothing, which is no error.
  case empty
  /// The value could not be had, and there is none to show instead.
  case error(AppError)

  /// The value, where it is loaded.
  public var data: Value? { if case .loaded(let value) = self { value } else { nil } }

  /// The error, where there is one.
  public var errorValue: AppError? { if case .error(let error) = self { error } else { nil } }

  /// Whether nothing was asked for yet.
  public var isIdle: Bool { if case .idle = self { true } else { false } }

  /// Whether the value is on its way, with none to show meanwhile.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// Whether there is nothing, which is no error.
  public var isEmpty: Bool { if case .empty = self { true } else { false } }

  /// Whether there is something to show that is true: the value, or that there is nothing.
  ///
  /// Where it is not, and nothing is on its way, a screen that appears has to load.
  public var isKnown: Bool { data != nil || isEmpty }

  /// Whether there is an error and trying again may help.
  public var isRetryable: Bool { errorValue?.isRetryable ?? false }

  /// The state with the value transformed.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> ViewState<Other> {
    try flatMap { .loaded(try transform($0)) }
  }

  /// The state that a closure returns for the value, or this state where there is no value.
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
  /// The state of a value that may be missing: without it, the error `database(.notFound)`.
  public func present<Present>() -> ViewState<Present> where Value == Present? {
    flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }
}

extension ViewState: Equatable where Value: Equatable {}
extension ViewState: Sendable where Value: Sendable {}

extension ViewState where Value: Collection {
  /// The state of a collection: ``empty`` where it has no element.
  public init(_ value: Value) { self = value.isEmpty ? .empty : .loaded(value) }
}
