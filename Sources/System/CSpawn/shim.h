#pragma once

#include <spawn.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Extensions of the GNU library and of Linux, which the module of Swift for them does not declare.

/// Closes all open files from a number on, in a process to start.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// Changes the folder of a process to start.
extern int posix_spawn_file_actions_addchdir_np(
  posix_spawn_file_actions_t *actions, const char *path);

/// Returns a file that can be read once a child process has ended, or -1.
static inline int offshore_process_file(pid_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}
