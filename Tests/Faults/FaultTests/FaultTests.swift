import Testing

/// Faults of real processes. They run one at a time, in their own test process: a child process
/// inherits the pipes and sockets that other tests have open when it starts.
@Suite(.serialized)
enum FaultTests {}
