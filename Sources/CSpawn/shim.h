// What the platform's Swift overlay hides: two posix_spawn actions, and on Linux process descriptors and the
// child subreaper. Declarations and inline calls only, so nothing here is compiled on its own.
#pragma once
#include <spawn.h>
#include <sys/types.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// A descriptor that becomes readable when the process ends, or -1 with errno set.
static inline int lane_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/// Makes this process the one that orphaned descendants are handed to; 0, or -1 with errno set.
static inline int lane_become_subreaper(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}
#endif
