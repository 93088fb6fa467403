#include "build.h"

#ifndef LANE_REPOSITORY
#define LANE_REPOSITORY ""
#endif
#ifndef LANE_COMMIT
#define LANE_COMMIT ""
#endif

const char *lane_repository(void) { return LANE_REPOSITORY; }
const char *lane_commit(void) { return LANE_COMMIT; }
