import LaneCommands

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

exit(Program.main())
