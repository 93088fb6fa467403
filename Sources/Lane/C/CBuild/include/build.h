#pragma once
// What the optimized build of `ci/lane` states about its sources, each an empty string if it is not known. A C function
// and not a constant of Swift, so that another commit compiles one file and links.

/// The address of the repository.
const char *lane_repository(void);
/// The commit, followed by "-dirty" if the checkout had changes.
const char *lane_commit(void);
