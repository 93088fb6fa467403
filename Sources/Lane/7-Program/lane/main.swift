import CLibrary
import LaneCommands

exit(Program.main())
