#include "bench/bench.h"

#include <lua.hpp>
#include <memory>
#include <stdexcept>

namespace tine::bench {
namespace {

/// A function of a Lua file, kept in the state's registry.
class LuaFunction {
public:
  explicit LuaFunction(const Call& call) : state_(luaL_newstate(), lua_close), call_(call) {
    luaL_openlibs(state_.get());
    const std::string text = program(call.file + ".lua");
    check(luaL_dostring(state_.get(), text.c_str()));
    lua_getglobal(state_.get(), call.function.c_str());
    function_ = luaL_ref(state_.get(), LUA_REGISTRYINDEX);
  }

  double operator()() const {
    lua_State* state = state_.get();
    double result = 0;
    for (int i = 0; i < call_.repeat; ++i) {
      lua_rawgeti(state, LUA_REGISTRYINDEX, function_);
      for (const Argument& argument : call_.arguments) push(argument);
      check(lua_pcall(state, static_cast<int>(call_.arguments.size()), 1, 0));
      result = lua_tonumber(state, -1);
      lua_pop(state, 1);
    }
    return result;
  }

private:
  void push(const Argument& argument) const {
    if (const auto* i = std::get_if<std::int64_t>(&argument))
      lua_pushinteger(state_.get(), *i);
    else
      lua_pushnumber(state_.get(), std::get<double>(argument));
  }
  void check(int status) const {
    if (status != LUA_OK) throw std::runtime_error(lua_tostring(state_.get(), -1));
  }

  std::unique_ptr<lua_State, void (*)(lua_State*)> state_;
  Call call_;
  int function_;
};

} // namespace

void luaRow(const std::string& name, std::int64_t items, double want, Call call) {
  row(name, items, want, [call]() -> Batch {
    return [function = std::make_shared<LuaFunction>(call)] { return (*function)(); };
  });
}

} // namespace tine::bench
