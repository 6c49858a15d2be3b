#pragma once

// The whole builder: what programs that use it include.
#include "interpreter/builder/builder.h"
#include "interpreter/builder/xla_communication.h"
#include "interpreter/builder/xla_constants.h"
#include "interpreter/builder/xla_contraction.h"
#include "interpreter/builder/xla_control.h"
#include "interpreter/builder/xla_elementwise.h"
#include "interpreter/builder/xla_linear.h"
#include "interpreter/builder/xla_padding.h"
#include "interpreter/builder/xla_reduction.h"
#include "interpreter/builder/xla_shaping.h"
