#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How operations on stored values become instructions.
ConverterRows quantized_rows();

/// The real numbers that stored ones stand for
/// (spec/stablehlo_operations.md).
Instruction* dequantize(InstructionBuilder& builder, Instruction* stored,
                        const Quantization& quantization);
/// The stored numbers that real ones become.
Instruction* quantize(InstructionBuilder& builder, Instruction* real,
                      const Quantization& quantization);

}  // namespace hlo::stablehlo
