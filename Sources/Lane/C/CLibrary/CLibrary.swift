// The C library of the system. Each system gives it another name, so all other modules import this one. `Monitor` is its
// mutex with its condition variable, for modules of all floors.
#if canImport(Glibc)
    @_exported public import Glibc
#else
    @_exported public import Darwin
#endif
