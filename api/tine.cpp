#include "api/tine.h"

namespace tine {

const char* version() { return TINE_VERSION; }

} // namespace tine
