#pragma once

// The whole builder: what programs that use it include.
#include "interpreter/builder/builder.h"
#include "interpreter/builder/communication.h"
#include "interpreter/builder/constants.h"
#include "interpreter/builder/contraction.h"
#include "interpreter/builder/control.h"
#include "interpreter/builder/elementwise.h"
#include "interpreter/builder/linear.h"
#include "interpreter/builder/padding.h"
#include "interpreter/builder/reduction.h"
#include "interpreter/builder/shaping.h"
