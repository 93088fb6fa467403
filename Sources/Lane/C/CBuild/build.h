// Values that the build of `lane` defines with -Xcc -D; a macro of a string is a String in Swift.

// The address of the repository that `lane` was built from, or "" if it is not known.
#ifndef LANE_REPOSITORY
#define LANE_REPOSITORY ""
#endif
