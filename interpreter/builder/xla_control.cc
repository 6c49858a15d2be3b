#include "interpreter/builder/xla_control.h"

namespace hlo::builder {
namespace {

Attributes with_config(const char* name, std::string_view config) {
  if (config.empty()) return {};
  return {{name, std::string(config)}};
}

Attributes on_channel(const ChannelHandle& handle, bool is_host_transfer) {
  Attributes attributes = {{"channel_id", handle.handle}};
  if (is_host_transfer) attributes.emplace_back("is_host_transfer", true);
  return attributes;
}

XlaOp send(XlaOp operand, XlaOp token, const ChannelHandle& handle,
           bool is_host_transfer) {
  XlaBuilder& builder = operand.builder();
  const Attributes attributes = on_channel(handle, is_host_transfer);
  const XlaOp begun = builder.add("send", {operand, token}, attributes);
  return builder.add("send-done", {begun}, attributes);
}

XlaOp receive(XlaOp token, const Shape& shape, const ChannelHandle& handle,
              bool is_host_transfer) {
  XlaBuilder& builder = token.builder();
  const Attributes attributes = on_channel(handle, is_host_transfer);
  const XlaOp begun = builder.add(
      "recv", {token}, attributes,
      Shape::tuple({shape, Shape::scalar(ElementType::kU32), Shape::token()}));
  return builder.add("recv-done", {begun}, attributes);
}

}  // namespace

XlaOp Tuple(XlaBuilder* builder, const XlaOps& elements) {
  return builder->add("tuple", elements);
}

XlaOp GetTupleElement(XlaOp tuple, int64_t index) {
  return tuple.builder().add("get-tuple-element", {tuple}, {{"index", index}});
}

XlaOp Call(XlaBuilder* builder, const XlaComputation& computation,
           const XlaOps& operands) {
  return builder->add("call", operands,
                      {{"to_apply", builder->embed(computation)}});
}

XlaOp While(const XlaComputation& condition, const XlaComputation& body,
            XlaOp init) {
  XlaBuilder& builder = init.builder();
  return builder.add(
      "while", {init},
      {{"condition", builder.embed(condition)}, {"body", builder.embed(body)}});
}

XlaOp Conditional(XlaOp predicate, XlaOp true_operand,
                  const XlaComputation& true_computation, XlaOp false_operand,
                  const XlaComputation& false_computation) {
  XlaBuilder& builder = predicate.builder();
  return builder.add("conditional", {predicate, true_operand, false_operand},
                     {{"true_computation", builder.embed(true_computation)},
                      {"false_computation", builder.embed(false_computation)}});
}

XlaOp Conditional(XlaOp branch_index,
                  const std::vector<XlaComputation>& branch_computations,
                  const XlaOps& branch_operands) {
  XlaBuilder& builder = branch_index.builder();
  Computations branches;
  for (const XlaComputation& branch : branch_computations) {
    branches.push_back(builder.embed(branch));
  }
  XlaOps operands = {branch_index};
  operands.insert(operands.end(), branch_operands.begin(),
                  branch_operands.end());
  return builder.add("conditional", operands,
                     {{"branch_computations", branches}});
}

XlaOp CustomCall(XlaBuilder* builder, std::string_view call_target_name,
                 const XlaOps& operands, const Shape& shape,
                 std::string_view opaque, bool has_side_effect) {
  Attributes attributes = {
      {"custom_call_target", std::string(call_target_name)}};
  if (has_side_effect) {
    attributes.emplace_back("custom_call_has_side_effect", true);
  }
  if (!opaque.empty()) {
    attributes.emplace_back("backend_config", std::string(opaque));
  }
  return builder->add("custom-call", operands, std::move(attributes), shape);
}

XlaOp CreateToken(XlaBuilder* builder) { return AfterAll(builder, {}); }

XlaOp AfterAll(XlaBuilder* builder, const XlaOps& tokens) {
  return builder->add("after-all", tokens);
}

XlaOp AddDependency(XlaOp operand, XlaOp token) {
  return operand.builder().add("add-dependency", {operand, token});
}

XlaOp Infeed(XlaBuilder* builder, const Shape& shape, std::string_view config) {
  return GetTupleElement(InfeedWithToken(CreateToken(builder), shape, config),
                         0);
}

XlaOp InfeedWithToken(XlaOp token, const Shape& shape,
                      std::string_view config) {
  return token.builder().add("infeed", {token},
                             with_config("infeed_config", config),
                             Shape::tuple({shape, Shape::token()}));
}

XlaOp Outfeed(XlaOp operand, std::string_view config) {
  return OutfeedWithToken(operand, CreateToken(&operand.builder()), config);
}

XlaOp OutfeedWithToken(XlaOp operand, XlaOp token, std::string_view config) {
  Attributes attributes = with_config("outfeed_config", config);
  attributes.emplace_back("outfeed_shape", operand.shape());
  return operand.builder().add("outfeed", {operand, token},
                               std::move(attributes));
}

XlaOp Send(XlaOp operand, const ChannelHandle& handle) {
  return SendWithToken(operand, CreateToken(&operand.builder()), handle);
}

XlaOp SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle) {
  return send(operand, token, handle, /*is_host_transfer=*/false);
}

XlaOp Recv(XlaBuilder* builder, const Shape& shape,
           const ChannelHandle& handle) {
  return GetTupleElement(RecvWithToken(CreateToken(builder), shape, handle), 0);
}

XlaOp RecvWithToken(XlaOp token, const Shape& shape,
                    const ChannelHandle& handle) {
  return receive(token, shape, handle, /*is_host_transfer=*/false);
}

XlaOp SendToHost(XlaOp operand, XlaOp token, const ChannelHandle& handle) {
  return send(operand, token, handle, /*is_host_transfer=*/true);
}

XlaOp RecvFromHost(XlaOp token, const Shape& shape,
                   const ChannelHandle& handle) {
  return receive(token, shape, handle, /*is_host_transfer=*/true);
}

}  // namespace hlo::builder
