// What a file holds and this program does not know (a newer Hazumi wrote it, or it is misspelt): kept as it was written,
// beside what it belongs to, so that saving loses nothing. Shared: copies of an owner cost nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace hazumi {

struct KeptKey {
  std::string block;  ///< keys down to the block that it stands in, each with a point: "body."; "": the owner's own
  std::string key;
  std::string after;  ///< the known key before it in that block; "": none
  std::string text;   ///< the value as JSON, as it was written
  friend bool operator==(const KeptKey&, const KeptKey&) = default;
};

class Kept {
 public:
  /// In the order of the file.
  const std::vector<KeptKey>& keys() const {
    static const std::vector<KeptKey> none;
    return keys_ == nullptr ? none : *keys_;
  }
  void add(KeptKey key) {
    if (keys_ == nullptr || keys_.use_count() > 1) keys_ = std::make_shared<std::vector<KeptKey>>(keys());
    keys_->push_back(std::move(key));
  }
  friend bool operator==(const Kept& a, const Kept& b) { return a.keys_ == b.keys_ || a.keys() == b.keys(); }

 private:
  std::shared_ptr<std::vector<KeptKey>> keys_;
};

}  // namespace hazumi
