import Foundation
import OffshoreSync
import OffshoreWire

/// A command of a host's program in addition to serving the device.
package struct HostCommand: Sendable {
  /// The name of the command, which is the first argument.
  package let name: String
  /// The line in the usage, or `nil` for a command that is used by other programs only.
  let summary: String?
  let flags: Set<String>
  let maximumOperandCount: Int
  /// The word for an operand in the usage; `nil` for an app.
  let operandName: String?
  let run: @Sendable (HostOptions, HostProgram, HostProgram.RunContext) async throws -> Void

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - operands: the maximum number of arguments that are not options.
  ///   - operandName: the word for one of them in the usage; `nil` for an app, which is left out if there is only
  ///     one.
  package init(
    _ name: String, _ summary: String?, flags: Set<String> = [], operands: Int = 0,
    operandName: String? = nil,
    run: @escaping @Sendable (HostOptions, HostProgram, HostProgram.RunContext) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.flags = flags
    maximumOperandCount = operands
    self.operandName = operandName
    self.run = run
  }

  /// The command that prints the synced tables of an app, for a server.
  static let manifest = HostCommand(
    "manifest", "print the synced tables of an app, for offshore serve",
    operands: 1
  ) { options, program, _ in
    let app = try program.app(named: options.operands.first)
    print(String(decoding: try app.schema.manifest.json(), as: UTF8.self))
  }
}

extension HostProgram {
  /// Returns the app with a name, or the only one.
  /// - Throws: ``HostError`` that lists the names.
  func app(named name: String?) throws -> HostedApp {
    let names = apps.map(\.name).joined(separator: ", ")
    guard let name else {
      guard apps.count == 1, let only = apps.first else {
        throw HostError("There are several apps. Name one of \(names).")
      }
      return only
    }
    guard let app = apps.first(where: { $0.name == name }) else {
      throw HostError("There is no app “\(name)”. Name one of \(names).")
    }
    return app
  }
}
