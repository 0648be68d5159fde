// The style and the script of the pages, compiled in from src/analyze/html.
#pragma once

#include <string_view>

namespace tidepool::inline v0_1::analyze {

std::string_view picture_css();
std::string_view page_css();  // with that of the pictures
std::string_view page_script();

// What a content security policy calls them: "sha256-…".
std::string_view page_css_hash();
std::string_view page_script_hash();

}  // namespace tidepool::inline v0_1::analyze
