// Functions that the platform's Swift overlay does not have: two posix_spawn actions, pipe2, the state of an ended child,
// and on Linux process descriptors, the child subreaper, the processors of this process, and the guard of its children.
// All are inline, so this module needs no compiled library.
#pragma once
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>

/// Returns 1 if the child has ended and can be reaped, 0 if it runs, and -1 with errno after an error. Does not reap it.
static inline int lane_has_ended(pid_t process) {
    siginfo_t information = {0};
    if (waitid(P_PID, (id_t)process, &information, WEXITED | WNOHANG | WNOWAIT) != 0) return -1;
    return information.si_pid == process;
}

/// Returns 1 if a signal has stopped the child since the last call, 0 if not, and -1 with errno after an error.
static inline int lane_has_stopped(pid_t process) {
    siginfo_t information = {0};
    if (waitid(P_PID, (id_t)process, &information, WSTOPPED | WNOHANG) != 0) return -1;
    return information.si_pid == process;
}

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// A descriptor that becomes readable when the process ends, or -1 with errno set.
static inline int lane_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/// The number of processors that this process may use, or 0 if it is unknown.
static inline int lane_allowed_processors(void) {
    unsigned long mask[128];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long word = 0; word < size / (long)sizeof *mask; word++) count += __builtin_popcountl(mask[word]);
    return count;
}

/// Makes this process the one that orphaned descendants are handed to; 0, or -1 with errno set.
static inline int lane_become_subreaper(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

extern int close_range(unsigned int first, unsigned int last, int flags);
extern int clone(int (*function)(void *), void *stack, int flags, void *argument, ...);

/// The program of the guard, which stays in memory until the guard ends.
struct lane_guard {
    int input;
    char *const *arguments;
    char *const *environment;
};

/// The guard: executes its program at the end of the input. Calls no function that uses more of the calling thread's
/// state than `errno`.
static inline int lane_guard_main(void *argument) {
    const struct lane_guard *guard = (const struct lane_guard *)argument;
    setpgid(0, 0);
    prctl(PR_SET_NAME, "lane-guard", 0, 0, 0);
    int null = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
    if (dup2(guard->input, 0) != 0 || dup2(null, 1) != 1 || dup2(null, 2) != 2 || close_range(3, ~0U, 0) != 0) _exit(1);
    if (chdir("/") != 0) _exit(1);
    char byte;
    long count;
    do {
        count = syscall(SYS_read, 0, &byte, 1);
    } while (count > 0 || (count < 0 && errno == EINTR));
    if (count == 0) execve(guard->arguments[0], guard->arguments, guard->environment);
    _exit(1);
}

/// Starts a process that executes the program `arguments[0]` at the end of the input. Returns its process ID, or -1 with
/// errno set.
///
/// The process has its own group and no descriptors except the input. It shares the memory of this process, which
/// outlives a killed process; a copy of the memory takes longer than the start of a thread. No signal except SIGKILL
/// ends it. One process can have one guard.
static inline pid_t lane_start_guard(int input, char *const *arguments, char *const *environment) {
    static struct lane_guard guard;
    static char stack[16384] __attribute__((aligned(16)));
    guard = (struct lane_guard){input, arguments, environment};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t process = clone(lane_guard_main, stack + sizeof stack, CLONE_VM | SIGCHLD, &guard);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    // Both processes set the group, so that it is set when either continues.
    if (process > 0) setpgid(process, process);
    return process;
}

/// Names the calling thread, in at most 15 bytes; 0, or -1 with errno set.
static inline int lane_set_name(const char *name) {
    return prctl(PR_SET_NAME, name, 0, 0, 0);
}

/// Gives the files of this process in /proc to root, and denies ptrace and core dumps; 0, or -1 with errno set.
static inline int lane_deny_inspection(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
#endif
