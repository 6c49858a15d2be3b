#include "backends/host_side.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <variant>
#include <vector>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// f32[<=3] with two elements, 5 and 7.
Literal two_of_three() {
  Shape shape = Shape::array(ElementType::kF32, {3});
  shape.set_dynamic(0, true);
  Literal literal(shape);
  literal.mutable_data<float>()[0] = 5;
  literal.mutable_data<float>()[1] = 7;
  literal.set_dynamic_sizes({2});
  return literal;
}

// What a program reads from the host and writes to it has its size at run time.
TEST(HostSide, HandsOnSizesAtRunTime) {
  for (const char* uri : {"interpreter:", "cpu:", "gpu:?device=fibers"}) {
    const std::unique_ptr<Backend> backend = make_backend(uri);
    auto* const fed = dynamic_cast<HostFed*>(backend.get());
    ASSERT_NE(fed, nullptr) << uri;
    std::vector<Literal> written;
    HostSide host;
    host.infeed = [] { return [](const Shape&) { return two_of_three(); }; };
    host.outfeed = [&written] {
      return [&written](const Device&, Literal value) {
        written.push_back(std::move(value));
      };
    };
    ASSERT_FALSE(fed->take(host)) << uri;
    const Module module = verified_module(R"(
      ENTRY main {
        t = token[] after-all()
        i = (f32[<=3], token[]) infeed(t)
        x = f32[<=3] get-tuple-element(i), index=0
        u = token[] get-tuple-element(i), index=1
        o = token[] outfeed(x, u), outfeed_shape=f32[<=3]
        ROOT n = s32[] get-dimension-size(x), dimensions={0}
      })");
    const Outcome outcome = backend->run(module, {});
    ASSERT_TRUE(std::holds_alternative<std::vector<Buffer>>(outcome))
        << uri << ": " << std::get<Failure>(outcome).message;
    EXPECT_EQ(load(std::get<std::vector<Buffer>>(outcome).at(0)).integer(0), 2)
        << uri;
    ASSERT_EQ(written.size(), 1U) << uri;
    EXPECT_TRUE(identical(written[0], two_of_three())) << uri;
  }
}

}  // namespace
}  // namespace hlo
