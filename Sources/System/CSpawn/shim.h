#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/types.h>

// Extensions of the GNU library, which the module of Swift for it does not declare.

/// Closes all open files from a number on, in a process to start.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// Changes the folder of a process to start.
extern int posix_spawn_file_actions_addchdir_np(
  posix_spawn_file_actions_t *actions, const char *path);

extern char **environ;

/// Returns the environment of this process.
static inline char **offshore_environment(void) { return environ; }

/// Restores the defaults of all signals in a process to start, and makes it lead a group of processes.
static inline void offshore_reset_signals_and_group(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setflags(
    attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}
