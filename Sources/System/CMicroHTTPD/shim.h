#pragma once

#include <microhttpd.h>
#include <string.h>

// Swift does not import variadic functions, and starting a daemon takes options of mixed types in
// one list. These wrappers give each call the form of an ordinary function, which the compiler checks.

/// What a daemon keeps to; 0 means no limit.
struct offshore_mhd_limits {
  unsigned int connections;
  unsigned int connections_per_address;
  unsigned int idle_seconds;
  unsigned int threads;
  size_t memory_per_connection;
};

/// Called when a request line has arrived; the result is the context of the request.
typedef void *(*offshore_mhd_target_callback)(
  void *context, const char *target, struct MHD_Connection *connection);

/// What a daemon calls, on its own threads.
struct offshore_mhd_callbacks {
  MHD_AcceptPolicyCallback accepts;
  MHD_AccessHandlerCallback accessed;
  offshore_mhd_target_callback target_received;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection_changed;
};

/// Leaves targets as they were sent.
static size_t offshore_mhd_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

/// Starts a daemon on a socket that listens; returns NULL where that fails.
static inline struct MHD_Daemon *offshore_mhd_start(
  unsigned int flags, int listener, struct offshore_mhd_limits limits,
  struct offshore_mhd_callbacks callbacks, void *context) {
  return MHD_start_daemon(
    flags, 0, callbacks.accepts, context, callbacks.accessed, context,
    MHD_OPTION_LISTEN_SOCKET, listener,
    MHD_OPTION_CONNECTION_LIMIT, limits.connections,
    MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_per_address,
    MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory_per_connection,
    MHD_OPTION_THREAD_POOL_SIZE, limits.threads,
    MHD_OPTION_STRICT_FOR_CLIENT, 1,
    MHD_OPTION_UNESCAPE_CALLBACK, &offshore_mhd_keep, NULL,
    MHD_OPTION_URI_LOG_CALLBACK, callbacks.target_received, context,
    MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, context,
    MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection_changed, context,
    MHD_OPTION_END);
}

/// The socket of a connection, or -1.
static inline int offshore_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// The address of the client, or NULL.
static inline const struct sockaddr *offshore_mhd_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/// What was stored for a connection when it began.
static inline void *offshore_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// How many bytes request line and headers have.
static inline size_t offshore_mhd_header_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}
