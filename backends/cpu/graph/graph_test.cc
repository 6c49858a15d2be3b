#include "backends/cpu/graph/graph.h"

#include <gtest/gtest.h>

namespace hlo::cpu {
namespace {

Node copy_of(const std::vector<Operand>& operands) {
  Node node;
  node.kind = NodeKind::kCopy;
  node.operands = operands;
  return node;
}

TEST(Graph, ValuesNameTheirNodesWhereThoseBeforeAreDropped) {
  const Shape shape = Shape::array(ElementType::kF32, {4});
  Graph graph;
  const size_t argument = graph.add_value(shape);
  const Operand input{argument, View::dense(shape.dims)};
  const Operand unread = graph.add_node(copy_of({input}), shape);
  const Operand first = graph.add_node(copy_of({input}), shape);
  const Operand second = graph.add_node(copy_of({first}), shape);
  graph.results = {second};
  graph.drop_unread_nodes();
  ASSERT_EQ(graph.nodes.size(), 2U);
  EXPECT_EQ(graph.nodes[0].results, (std::vector<size_t>{first.value}));
  EXPECT_EQ(graph.nodes[1].results, (std::vector<size_t>{second.value}));
  EXPECT_EQ(graph.values[argument].node, -1);
  EXPECT_EQ(graph.values[unread.value].node, -1);
  EXPECT_EQ(graph.values[unread.value].bytes, 0U);
  EXPECT_EQ(graph.values[first.value].node, 0);
  EXPECT_EQ(graph.values[second.value].node, 1);
}

}  // namespace
}  // namespace hlo::cpu
