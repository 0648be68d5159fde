// Pictures inside pages and drawings.
#pragma once

#include <string>

namespace tidepool::cli {

// The PNG file as a data: URI, so that what shows it needs no other file; empty if `path` is. Throws Error, whose message begins with the
// verb or the name of the file, for anything else than a whole PNG.
std::string picture_href(const std::string& verb, const std::string& path);

}  // namespace tidepool::cli
