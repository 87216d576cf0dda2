import OffshoreWire
import Testing

/// Expects an error with a code.
/// - Returns: The error.
@discardableResult
func expect(
  _ code: WireError.Code, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> WireError {
  let error = try #require(
    #expect(throws: WireError.self, sourceLocation: location, performing: body),
    sourceLocation: location)
  #expect(error.code == code, "\(error)", sourceLocation: location)
  return error
}
