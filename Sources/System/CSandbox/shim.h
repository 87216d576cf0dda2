#pragma once

// Linux filters the system calls of a process by a program: https://docs.kernel.org/userspace-api/seccomp_filter.html
// Its macros, and the variadic `prctl`, are not imported by Swift.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define OFFSHORE_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OFFSHORE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define OFFSHORE_LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define OFFSHORE_RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
/// Returns an action if the loaded number is another one, or continues after it.
#define OFFSHORE_UNLESS(number, action) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 1, 0), OFFSHORE_RETURN(action)
#define OFFSHORE_ALLOW(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), OFFSHORE_RETURN(SECCOMP_RET_ALLOW)

/// Lets the process read and write its open files, use memory and end. Each other system call fails
/// with `EPERM` from now on, and rights cannot be gained any more. Returns 0 if the kernel refuses.
static inline int offshore_allow_computing_only(void) {
  struct sock_filter filter[] = {
    OFFSHORE_LOAD(arch),
    OFFSHORE_UNLESS(OFFSHORE_ARCHITECTURE, SECCOMP_RET_KILL_PROCESS),
    OFFSHORE_LOAD(nr),
    OFFSHORE_ALLOW(__NR_read),
    OFFSHORE_ALLOW(__NR_write),
    OFFSHORE_ALLOW(__NR_brk),
    OFFSHORE_ALLOW(__NR_mmap),
    OFFSHORE_ALLOW(__NR_munmap),
    OFFSHORE_ALLOW(__NR_mremap),
    OFFSHORE_ALLOW(__NR_madvise),
    OFFSHORE_ALLOW(__NR_futex),
    OFFSHORE_ALLOW(__NR_getrandom),
    OFFSHORE_ALLOW(__NR_clock_gettime),
    OFFSHORE_ALLOW(__NR_rt_sigreturn),
    OFFSHORE_ALLOW(__NR_exit),
    OFFSHORE_ALLOW(__NR_exit_group),
    OFFSHORE_RETURN(SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

/// There is no filter for this system.
static inline int offshore_allow_computing_only(void) { return 0; }

#endif
