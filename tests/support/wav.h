// Sound files for tests: WAV, 16 bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace hazumi::test {

/// `values`: moment after moment, in each all channels.
inline std::string wav_bytes(const std::vector<std::int16_t>& values, int channels, int rate) {
  std::string bytes;
  const auto number = [&](std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  };
  const auto data = static_cast<std::uint32_t>(2 * values.size());
  bytes += "RIFF";
  number(36 + data, 4);
  bytes += "WAVEfmt ";
  number(16, 4);
  number(1, 2);
  number(static_cast<std::uint32_t>(channels), 2);
  number(static_cast<std::uint32_t>(rate), 4);
  number(static_cast<std::uint32_t>(2 * channels * rate), 4);
  number(static_cast<std::uint32_t>(2 * channels), 2);
  number(16, 2);
  bytes += "data";
  number(data, 4);
  for (const std::int16_t value : values) number(static_cast<std::uint16_t>(value), 2);
  return bytes;
}

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// One channel at 48 kHz of a tone of half the loudness.
inline std::vector<std::int16_t> tone_values(double frequency, double seconds, int rate = 48'000) {
  std::vector<std::int16_t> values(static_cast<std::size_t>(seconds * rate));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        static_cast<std::int16_t>(16'000 * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / rate));
  return values;
}

}  // namespace hazumi::test
