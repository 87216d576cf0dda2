public import Offshore
public import OffshoreWire

/// A rule for columns that are not merged by the default policy, `lastWriter`, or a column that former
/// releases of the app have otherwise.
///
/// ```swift
/// .merged(\.votes, .counter)
/// .local(\.isExpanded)
/// .file(\.photo)
/// .formerly(\.title, "name")
/// .retired("hours", as: Double?.self)
/// .derived(\.minutes, from: "hours") { (hours: Double?) in hours.map { Int($0 * 60) } }
/// ```
public struct ColumnSync<Row: Record> {
  enum Declaration {
    case rule([PartialKeyPath<Row>], ColumnRule)
    case file(PartialKeyPath<Row>, FilePolicy)
    case formerName(PartialKeyPath<Row>, String)
    case retired(RetiredColumn)
    case derived(PartialKeyPath<Row>, DerivedColumn)
  }

  let declaration: Declaration

  /// Syncs a column, and merges its changes by a policy.
  ///
  /// `MergePolicy.keyed` merges each key of a JSON object on its own.
  public static func merged(_ column: PartialKeyPath<Row>, _ policy: MergePolicy) -> Self {
    Self(declaration: .rule([column], .merged(policy)))
  }

  /// Excludes columns from syncing: their changes are not captured, whatever the statement, and
  /// their values are never sent.
  public static func local(_ columns: PartialKeyPath<Row>...) -> Self {
    Self(declaration: .rule(columns, .local))
  }

  /// Declares that the texts of a column refer to files, each as the text of a `BlobReference`. Other
  /// texts refer to none.
  ///
  /// The members of a row's scope can read its files. ``SyncedStore/files`` has those of this device.
  /// - Parameter policy: the time at which this device fetches files of other devices.
  public static func file(
    _ column: PartialKeyPath<Row>, fetched policy: FilePolicy = .onDemand
  ) -> Self {
    Self(declaration: .file(column, policy))
  }

  /// Declares the name that a renamed column had in the first release that synced it.
  ///
  /// In messages it keeps that name, so that devices of former releases go on with it.
  public static func formerly(_ column: PartialKeyPath<Row>, _ name: String) -> Self {
    Self(declaration: .formerName(column, name))
  }

  /// Declares a column that the app does not have any more, for devices of former releases.
  /// - Parameters:
  ///   - name: the name of the column in the first release that synced it.
  ///   - type: the type of its property.
  ///   - policy: its merge policy.
  ///   - table: the name of the table that it refers to, if it does.
  ///   - isFile: whether its texts refer to files, so that the server retains these.
  ///   - value: the value that rows inserted by this release have in it. It is needed if the column is
  ///     not optional and had no default.
  public static func retired<Value: ColumnValue>(
    _ name: String, as type: Value.Type, _ policy: MergePolicy = .lastWriter,
    references table: String? = nil, isFile: Bool = false, initially value: Value? = nil
  ) -> Self {
    Self(declaration: .retired(RetiredColumn(name, type, policy, table, isFile, value)))
  }
}

extension ColumnSync {
  /// Declares a column that replaces a retired one, for example with another type or unit.
  ///
  /// If devices of former releases have written the former column later, or a row has no value in the
  /// present one, devices of this release show the derived value. So changes by both arrive.
  ///
  /// If a function throws, or its result does not fit the column, there is no derived value: the column
  /// shows its default.
  /// - Parameters:
  ///   - column: the column. Its migration fills it in the same way.
  ///   - former: the name of the retired column in messages, with the default codec of its type.
  ///   - derive: returns the value for one of the former column.
  ///   - back: returns the value of the former column, for devices of former releases. Without it, they
  ///     do not see changes of this release.
  public static func derived<Former: ColumnValue, Value>(
    _ column: any KeyPath<Row, Value> & Sendable, from former: String,
    _ derive: @escaping @Sendable (Former) throws -> Value,
    back: (@Sendable (Value) throws -> Former)? = nil
  ) -> Self {
    Self(declaration: .derived(column, DerivedColumn(column, from: former, derive, back)))
  }
}

/// The time at which a device fetches a file of another device.
public enum FilePolicy: Hashable, Sendable {
  /// When the app requests it by ``SyncedStore/fetch(_:)``.
  case onDemand
  /// As soon as a row that refers to it has arrived.
  case ahead

  /// 1 if files are fetched at once, or else 0.
  var sql: Int { self == .ahead ? 1 : 0 }
}

enum ColumnRule: Hashable, Sendable {
  case merged(MergePolicy)
  case local
}

/// A column that former releases of the app have.
struct RetiredColumn: Sendable {
  let name: String
  let type: StorageType
  let isNullable: Bool
  let policy: MergePolicy
  let reference: String?
  let isFile: Bool
  /// Returns the value of inserted rows, or is `nil` if they have none.
  let initial: (@Sendable (Reader) throws -> WireValue)?

  init<Value: ColumnValue>(
    _ name: String, _ type: Value.Type, _ policy: MergePolicy, _ reference: String?,
    _ isFile: Bool, _ initial: Value?
  ) {
    self.name = name
    self.type = StorageType(affinityOf: Value.Codec.sqlType)
    isNullable = Value.Codec.isNullable
    self.policy = policy
    self.reference = reference
    self.isFile = isFile
    guard let initial else {
      self.initial = nil
      return
    }
    self.initial = { (reader: Reader) -> WireValue in
      let stored: SQL = "SELECT \(initial)"
      return try stored.first(reader, as: StoredValue.self)?.value ?? .null
    }
  }

  /// The column as the manifest declares it.
  /// - Parameter sentNames: the names of tables in messages, by their present ones.
  func declaration(_ sentNames: [String: String]) -> SyncedColumn {
    SyncedColumn(
      name, type, isNullable: isNullable, policy: policy,
      reference: reference.map { sentNames[$0] ?? $0 }, isRetired: true, hasDefault: initial != nil,
      isFile: isFile)
  }
}

/// The scope of each row of a synced table.
///
/// ```swift
/// .kind("list", \.listID)
/// ```
public struct SyncScope<Row: Record> {
  let kind: String
  let column: PartialKeyPath<Row>

  /// Declares the kind of scope, and the column with the scope's value. The column may be the key.
  public static func kind(_ kind: String, _ column: PartialKeyPath<Row>) -> Self {
    Self(kind: kind, column: column)
  }
}
