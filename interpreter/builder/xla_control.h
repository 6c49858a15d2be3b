#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/builder/builder.h"

// Tuples, computations that are run, tokens, and what comes from outside.
// Errors: the rules of the operation's page.

namespace hlo::builder {

XlaOp Tuple(XlaBuilder* builder, const XlaOps& elements);
XlaOp GetTupleElement(XlaOp tuple, int64_t index);

XlaOp Call(XlaBuilder* builder, const XlaComputation& computation,
           const XlaOps& operands);
/// Runs `body` on its own result, first on `init`, while `condition` of it is
/// true.
XlaOp While(const XlaComputation& condition, const XlaComputation& body,
            XlaOp init);
/// Runs one of two computations on its operand.
XlaOp Conditional(XlaOp predicate, XlaOp true_operand,
                  const XlaComputation& true_computation, XlaOp false_operand,
                  const XlaComputation& false_computation);
/// Runs the branch of that number, the last one where there is none.
XlaOp Conditional(XlaOp branch_index,
                  const std::vector<XlaComputation>& branch_computations,
                  const XlaOps& branch_operands);

/// Calls a function by its name (spec/ops/custom_call.md).
XlaOp CustomCall(XlaBuilder* builder, std::string_view call_target_name,
                 const XlaOps& operands, const Shape& shape,
                 std::string_view opaque = {}, bool has_side_effect = false);

/// A token that waits for nothing.
XlaOp CreateToken(XlaBuilder* builder);
XlaOp AfterAll(XlaBuilder* builder, const XlaOps& tokens);
/// The operand, after the token.
XlaOp AddDependency(XlaOp operand, XlaOp token);

// Reading and writing one value of the shape. The forms with a token take part
// in an order and give the token too: (value, token). The others begin with a
// token of their own, and run in the order in which they are added.
XlaOp Infeed(XlaBuilder* builder, const Shape& shape,
             std::string_view config = {});
XlaOp InfeedWithToken(XlaOp token, const Shape& shape,
                      std::string_view config = {});
XlaOp Outfeed(XlaOp operand, std::string_view config = {});
XlaOp OutfeedWithToken(XlaOp operand, XlaOp token,
                       std::string_view config = {});

/// What a send and its recv have in common.
struct ChannelHandle {
  int64_t handle = 0;
};

// Between devices, and with the host. Each is a start and its done.
XlaOp Send(XlaOp operand, const ChannelHandle& handle);
XlaOp SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle);
XlaOp Recv(XlaBuilder* builder, const Shape& shape,
           const ChannelHandle& handle);
XlaOp RecvWithToken(XlaOp token, const Shape& shape,
                    const ChannelHandle& handle);
XlaOp SendToHost(XlaOp operand, XlaOp token, const ChannelHandle& handle);
XlaOp RecvFromHost(XlaOp token, const Shape& shape,
                   const ChannelHandle& handle);

}  // namespace hlo::builder
