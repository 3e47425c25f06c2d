#include "support/count.h"

namespace tine::detail {

LiveCounter liveCounters[kLiveKinds];

} // namespace tine::detail
