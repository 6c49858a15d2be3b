#include "backends/tpu/blocks/block_rules.h"
#include "backends/tpu/blocks/wide_matrices.h"
#include "interpreter/builder/xla_builder.h"
#include "interpreter/rules/epsilon.h"

namespace hlo::tpu {
namespace {

using builder::XlaOp;

/// Arrays with a feature dimension, and vectors of features.
class Features {
 public:
  explicit Features(const BlockTask& task)
      : builder_(task.builder),
        dims_(task.operands[0].shape().dims),
        feature_(task.instruction.get<int64_t>("feature_index")) {
    for (int64_t d = 0; d < std::ssize(dims_); ++d) {
      if (d != feature_) others_.push_back(d);
    }
  }

  /// The sum over the elements of each feature.
  XlaOp sum(XlaOp x) const {
    return builder::Reduce(
        x, builder::ConstantR0<double>(&builder_, 0),
        builder::CreateScalarAddComputation(ElementType::kF64), others_);
  }

  /// Each feature's number for all of its elements.
  XlaOp spread(XlaOp numbers) const {
    return builder::BroadcastInDim(numbers, dims_, {feature_});
  }

  /// How many elements a feature has.
  XlaOp count() const {
    double count = 1;
    for (const int64_t d : others_) {
      count *= static_cast<double>(dims_[static_cast<size_t>(d)]);
    }
    return builder::ConstantR0<double>(&builder_, count);
  }

  XlaOp epsilon(const Instruction& norm) const {
    return builder::ConstantR0<double>(&builder_, epsilon_of(norm));
  }

 private:
  builder::XlaBuilder& builder_;
  Ints dims_;
  int64_t feature_;
  Ints others_;
};

XlaOp results(const BlockTask& task, const builder::XlaOps& wide) {
  builder::XlaOps narrow;
  for (size_t k = 0; k < wide.size(); ++k) {
    narrow.push_back(
        narrowed(wide[k], task.instruction.shape.tuple_shapes[k].element_type));
  }
  return builder::Tuple(&task.builder, narrow);
}

}  // namespace

XlaOp batch_norm_training_by_sums(const BlockTask& task) {
  using namespace builder;  // NOLINT: the formula below is spelt with it
  const Features features(task);
  const XlaOp x = widened(task.operands[0]);
  const XlaOp scale = widened(task.operands[1]);
  const XlaOp offset = widened(task.operands[2]);
  const XlaOp n = features.count();
  const XlaOp mean = Div(features.sum(x), n);
  const XlaOp difference = Sub(x, features.spread(mean));
  const XlaOp about = task.fault == Fault::kVarianceAboutZero ? x : difference;
  const XlaOp variance = Div(features.sum(Mul(about, about)), n);
  const XlaOp root = Sqrt(Add(variance, features.epsilon(task.instruction)));
  const XlaOp output =
      Add(Div(Mul(difference, features.spread(scale)), features.spread(root)),
          features.spread(offset));
  return results(task, {output, mean, variance});
}

XlaOp batch_norm_grad_by_sums(const BlockTask& task) {
  using namespace builder;  // NOLINT: the formula below is spelt with it
  const Features features(task);
  const XlaOp scale = widened(task.operands[1]);
  const XlaOp mean = widened(task.operands[2]);
  const XlaOp dy = widened(task.operands[4]);
  const XlaOp n = features.count();
  const XlaOp variance =
      Add(widened(task.operands[3]), features.epsilon(task.instruction));
  const XlaOp difference =
      Sub(widened(task.operands[0]), features.spread(mean));
  const XlaOp g = features.sum(dy);
  const XlaOp s = features.sum(Mul(dy, difference));
  const XlaOp root = Sqrt(variance);
  const XlaOp left = Sub(Sub(Mul(dy, n), features.spread(g)),
                         Mul(difference, features.spread(Div(s, variance))));
  const XlaOp output = Mul(Div(left, n), features.spread(Div(scale, root)));
  return results(task, {output, Div(s, root), g});
}

}  // namespace hlo::tpu
