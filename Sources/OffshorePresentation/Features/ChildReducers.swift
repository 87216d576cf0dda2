extension Reducer {
  /// Adds the reducer of a child whose state exists only at times, such as that of an open editor.
  ///
  /// The child handles its action first, so the parent can remove the child's state in the same
  /// action. When the state is removed or replaced by one with another id, the child's effects are
  /// cancelled. An action for a missing child is left to the parent.
  ///
  /// - Parameters:
  ///   - state: the path to the optional state of the child.
  ///   - action: returns the action of the child in an action, or `nil` if it is not for the child.
  ///   - embed: creates an action from one of the child.
  ///   - child: creates the reducer of the child.
  public func ifLet<Child: Reducer>(
    _ state: any WritableKeyPath<State, Child.State?> & Sendable,
    action: @escaping @Sendable (Action) -> Child.Action?,
    embed: @escaping @Sendable (Child.Action) -> Action,
    _ child: () -> Child
  ) -> Reduce<State, Action> {
    let child = child()
    return following { whole, anyAction in
      guard let action = action(anyAction), var part = whole[keyPath: state] else { return .none }
      let effect = child.reduce(into: &part, action: action)
      whole[keyPath: state] = part
      return effect.embedded(in: EffectPlace(optional: state, initially: part), by: embed)
    }
  }

  /// Adds the reducer of the rows of a list, of which each handles the actions with its id.
  ///
  /// A row handles its action before the parent does. When a row is removed, its effects are
  /// cancelled. The ids by which a row cancels effects are its own. An action for a missing row is
  /// left to the parent.
  ///
  /// - Parameters:
  ///   - state: the path to the rows, whose ids are unique.
  ///   - action: returns the row's id and action in an action, or `nil` if it is not for a row.
  ///   - embed: creates an action from a row's id and action.
  ///   - row: creates the reducer of a row.
  public func forEach<Row: Reducer>(
    _ state: any WritableKeyPath<State, [Row.State]> & Sendable,
    action: @escaping @Sendable (Action) -> (id: Row.State.ID, action: Row.Action)?,
    embed: @escaping @Sendable (Row.State.ID, Row.Action) -> Action,
    _ row: () -> Row
  ) -> Reduce<State, Action> where Row.State: Identifiable, Row.State.ID: Sendable {
    let row = row()
    return following { whole, anyAction in
      guard let (id, action) = action(anyAction),
        let index = whole[keyPath: state].firstIndex(where: { $0.id == id })
      else { return .none }
      return row.reduce(into: &whole[keyPath: state][index], action: action)
        .embedded(in: EffectPlace(row: id, of: state)) { embed(id, $0) }
    }
  }

  /// Returns a reducer that runs another one before this one.
  private func following(
    _ child: @escaping @Sendable (inout State, Action) -> Effect<Action>
  ) -> Reduce<State, Action> {
    Reduce(inOrder: [Reduce(child), self])
  }
}
