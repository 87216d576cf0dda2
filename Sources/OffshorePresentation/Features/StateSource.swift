/// The state and the actions behind a store.
@MainActor
protocol StateSource<State, Action>: AnyObject {
  associatedtype State: Equatable & Sendable
  associatedtype Action: Sendable

  /// The state. Reading it here is not observed.
  var state: State { get }

  /// The actions since the start; `nil` if they are not logged.
  var actionLog: ActionLog<State, Action>? { get }

  /// Registers that a part of the state is read.
  func registerRead<Value: Equatable>(
    of key: [AnyHashable], _ value: @escaping (State) -> Value)

  /// Handles an action.
  func send(_ action: Action) -> ActionEffects
}

/// A part of another source's state.
@MainActor
final class ScopedSource<
  Whole: Equatable & Sendable, WholeAction: Sendable, State: Equatable & Sendable, Action: Sendable
>: StateSource {
  private let whole: any StateSource<Whole, WholeAction>
  private let key: [AnyHashable]
  private let part: (Whole) -> State?
  private let embed: (Action) -> WholeAction
  private var last: State

  /// Creates a source of a part.
  ///
  /// - Parameters:
  ///   - key: the identity of the part in the whole.
  ///   - part: returns the part, or `nil` if it does not exist any more.
  ///   - initial: the state of the part now.
  ///   - embed: creates an action of the whole.
  init(
    _ whole: any StateSource<Whole, WholeAction>, _ key: [AnyHashable],
    _ part: @escaping (Whole) -> State?, initially initial: State,
    _ embed: @escaping (Action) -> WholeAction
  ) {
    self.whole = whole
    self.key = key
    self.part = part
    self.embed = embed
    last = initial
  }

  /// Creates a source of a part that exists only at times. Whether it exists is observed.
  ///
  /// - Returns: `nil` if the part does not exist.
  convenience init?(
    optional whole: any StateSource<Whole, WholeAction>, _ key: [AnyHashable],
    _ part: @escaping (Whole) -> State?, _ embed: @escaping (Action) -> WholeAction
  ) {
    whole.registerRead(of: key + ["exists"]) { part($0) != nil }
    guard let initial = part(whole.state) else { return nil }
    self.init(whole, key, part, initially: initial, embed)
  }

  var state: State {
    last = part(whole.state) ?? last
    return last
  }

  var actionLog: ActionLog<State, Action>? { nil }

  func registerRead<Value: Equatable>(
    of key: [AnyHashable], _ value: @escaping (State) -> Value
  ) {
    let part = part
    whole.registerRead(of: self.key + key) { part($0).map(value) }
  }

  func send(_ action: Action) -> ActionEffects { whole.send(embed(action)) }
}

/// The place of a row in a list. It finds the row near its last place, so that a long list is
/// rarely searched.
@MainActor
final class RowPlace<Row: Identifiable> {
  private let id: Row.ID
  private var index = 0

  init(_ id: Row.ID) { self.id = id }

  /// Returns the row with the id, or `nil` if the list does not have it.
  func row(in rows: [Row]) -> Row? {
    guard let found = place(in: rows) else { return nil }
    index = found
    return rows[found]
  }

  private func place(in rows: [Row]) -> Int? {
    for distance in 0..<max(rows.count, index + 1) {
      let before = index - distance
      if rows.indices.contains(before), rows[before].id == id { return before }
      let after = index + distance
      if rows.indices.contains(after), rows[after].id == id { return after }
    }
    return nil
  }
}
