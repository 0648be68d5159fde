// The static library as one that can be loaded: everything comes from the archive.
#include "tidepool/c.h"
