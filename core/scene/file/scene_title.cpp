#include "core/scene/file/scene_title.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace hazumi {

namespace {

constexpr std::streamsize kHead = 64 << 10;

/// Stops the parser as soon as both are there.
class TitleHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  SceneTitle found;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& value) override {
    if (depth_ != 1) return true;
    if (key_ == "name") found.name = std::move(value);
    if (key_ == "description") found.description = std::move(value);
    return found.name.empty() || found.description.empty();
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_object() override { return --depth_ > 0; }
  bool end_array() override { return --depth_ > 0; }
  bool key(string_t& name) override {
    if (depth_ == 1) key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  int depth_ = 0;
  std::string key_;
};

}  // namespace

SceneTitle scene_title(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string head(static_cast<std::size_t>(kHead), '\0');
  stream.read(head.data(), kHead);
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  TitleHandler handler;
  nlohmann::json::sax_parse(head, &handler);
  return handler.found;
}

}  // namespace hazumi
