// The known word that a mistyped one resembles.
#pragma once

#include <string>
#include <vector>

namespace tidepool::cli {

// ", did you mean 'train'?", or nothing if no word is similar enough.
std::string suggestion(const std::string& typed, const std::vector<std::string>& known);

}  // namespace tidepool::cli
