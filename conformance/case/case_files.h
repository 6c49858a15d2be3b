#pragma once

#include <string>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/spec_page.h"

namespace hlo::conformance {

/// The folder that holds spec/ and conformance/vectors: $ASSAY_ROOT, the
/// current folder or one above it, or the one that the program was built or
/// installed in. Empty where there is none.
std::string data_root();

/// The vector files (*.jsonl) and pages (*.md) under these files and folders,
/// sorted, each once, whatever its names; with none given, those of
/// data_root().
std::vector<std::string> case_files(const std::vector<std::string>& paths);
/// The cases of a vector file or a page. Throws FileError, and Error where the
/// file has no place that is wrong.
std::vector<Case> load_cases(const std::string& file);
/// The syntax examples of a page.
std::vector<SyntaxExample> load_syntax(const std::string& file);
/// All cases of the files whose id the filter selects, in order.
std::vector<Case> load_all(const std::vector<std::string>& files,
                           const std::string& filter);

/// Whether `filter` selects the id: GLOB:GLOB...[:-GLOB...], where * is any
/// text and ? any character. Negative ones win; without positive ones all.
bool selects(const std::string& filter, const std::string& id);
/// The filter on ids that a person means: a glob without * and ? that is no
/// whole id is what an id begins with ("add" means "add/*"), or a type ("f32"
/// means "*/f32/*"), and an operation has no '_' for '-'.
std::string meant_filter(const std::string& filter);

}  // namespace hlo::conformance
