#include "conformance/fingerprint/tree_families.h"

#include <gtest/gtest.h>

namespace hlo::conformance {
namespace {

TEST(TreeFamilies, AreTheseTrees) {
  EXPECT_EQ(sequential_tree(1).text(), "0");
  EXPECT_EQ(sequential_tree(4).text(), "(((0+1)+2)+3)");
  EXPECT_EQ(reverse_tree(4).text(), "(0+(1+(2+3)))");
  EXPECT_EQ(swapped_tree(5).text(), "((((0+1)+3)+2)+4)");
  EXPECT_EQ(pairwise_tree(5, Halving::kMiddle).text(), "((0+1)+(2+(3+4)))");
  EXPECT_EQ(pairwise_tree(7, Halving::kPower).text(),
            "(((0+1)+(2+3))+((4+5)+6))");
  EXPECT_EQ(pairwise_tree(6, Halving::kNeighbours).text(),
            "(((0+1)+(2+3))+(4+5))");
  EXPECT_EQ(pairwise_tree(6, Halving::kFolded).text(), "(((0+3)+(2+5))+(1+4))");
  EXPECT_EQ(lane_tree(6, 4, Joining::kSequential).text(),
            "((((0+4)+(1+5))+2)+3)");
  EXPECT_EQ(lane_tree(6, 4, Joining::kFolded).text(), "(((0+4)+2)+((1+5)+3))");
  EXPECT_EQ(rounds_tree(6, 4, Joining::kNeighbours).text(),
            "((((0+1)+(2+3))+4)+5)");
  EXPECT_EQ(split_tree(5, 2, Joining::kSequential).text(), "(((0+1)+(2+3))+4)");
  EXPECT_EQ(block_tree(7, 3).text(), "(((0+1+2)+3+4+5)+6)");
  EXPECT_EQ(promoted_tree(8, 4, 2).text(), "(((0+1)+2+3)+((4+5)+6+7))");
  EXPECT_EQ(single_node_tree(3).text(), "(0+1+2)");
}

TEST(TreeFamilies, AreNamed) {
  EXPECT_EQ(tree_name(sequential_tree(1)), "one term");
  EXPECT_EQ(tree_name(sequential_tree(9)), "sequential");
  EXPECT_EQ(tree_name(lane_tree(40, 16, Joining::kFolded)),
            "16 lanes, added by halves");
  EXPECT_EQ(tree_name(rounds_tree(33, 8, Joining::kSequential)),
            "8 lanes, added one after the other, the rest one after the other");
  EXPECT_EQ(tree_name(split_tree(60, 20, Joining::kSequential)),
            "parts of 20 in a row, added one after the other");
  EXPECT_EQ(tree_name(block_tree(64, 16)), "blocks of 16 and the sum so far");
  EXPECT_EQ(tree_name(single_node_tree(5)), "all at once");
}

TEST(SummationTree, HasNoNameButAHashWhereItIsOfNoFamily) {
  SummationTree tree;
  const int a = tree.leaf(0);
  const int b = tree.leaf(3);
  const int c = tree.node({b, a});
  const int d = tree.leaf(1);
  const int e = tree.leaf(2);
  const int f = tree.leaf(4);
  tree.node({tree.node({d, e}), tree.node({f, c})});
  EXPECT_EQ(tree.text(), "(((0+3)+4)+(1+2))");
  EXPECT_EQ(tree_name(tree), "");
  EXPECT_EQ(tree.terms_of(tree.root()), (std::vector<int>{0, 1, 2, 3, 4}));
}

// FNV-1a of 64 bits: of no byte it is the offset.
TEST(SummationTree, HashesItsText) {
  EXPECT_EQ(SummationTree().hash(), "cbf29ce484222325");
  // The byte "0" makes it (offset ^ 0x30) * prime.
  EXPECT_EQ(sequential_tree(1).hash(), "af63ad4c86019caf");
}

}  // namespace
}  // namespace hlo::conformance
