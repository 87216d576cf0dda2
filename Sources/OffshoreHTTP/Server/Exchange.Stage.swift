extension Exchange {
  /// The progress of a request.
  enum Stage: Sendable {
    case sendingHeaders
    /// The responder decides about the head, and so whether the body is received.
    case admitting(Task<Void, Never>?)
    case decided(Decision)
    case sendingBody(Request, limit: Int)
    /// The short body is discarded, then this response is sent.
    case dropping(Response)
    /// The refusal was sent, and the rest of the body is discarded.
    case refused
    case handling(Task<Void, Never>?)
    case answered
    case abandoned
  }

  /// The decision about a request's head.
  enum Decision: Sendable {
    case admitted(Request, limit: Int)
    case refused(Response, RequestHead)
    case tooLarge(Response)
  }
}
