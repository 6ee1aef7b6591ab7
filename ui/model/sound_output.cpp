#include "ui/model/sound_output.h"

#ifdef HAZUMI_SOUND_DEVICE

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include <QAudioDevice>
#include <QAudioFormat>
#include <QAudioSink>
#include <QElapsedTimer>
#include <QIODevice>
#include <QMediaDevices>
#include <QThread>
#include <QTimer>

namespace hazumi {

namespace {

constexpr int kRate = 48'000;       // 1/s: what nearly every device has
constexpr double kBuffered = 0.08;  // s: as long as a click of the mouse is not felt, long enough for a busy computer
constexpr int kFeed = 8;            // ms
constexpr int kIdle = 10'000;       // ms of silence, after which the device is given back
constexpr std::size_t kFrame = 2 * sizeof(float);

/// In the thread of the device. It plays on, silence too, while things start and stop: opening one takes tens of milliseconds.
class Sink : public QObject {
 public:
  Sink() : timer_(this) {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(kFeed);
    connect(&timer_, &QTimer::timeout, this, &Sink::feed);
  }
  void begin() {
    devices_ = std::make_unique<QMediaDevices>();
    connect(devices_.get(), &QMediaDevices::audioOutputsChanged, this, &Sink::look);
    look();
  }
  void end() {
    close();
    devices_.reset();
  }
  /// Also when one is plugged in, or pulled out: the next start takes what is there then.
  void look() { there_ = !QMediaDevices::defaultAudioOutput().isNull(); }
  void start(SoundSource source, int ticket) {
    source_ = std::move(source);
    ticket_ = ticket;
    first_ = 0;
    if (!sink_ && !open()) return;
    feed();
    timer_.start();
  }
  void stop() {
    source_ = {};
    idle_.start();
  }

  std::atomic<bool> there_{false};
  struct Heard {
    int ticket = 0;
    double samples = 0;
    QElapsedTimer since;  ///< samples was another number
    bool runs = false;    ///< what it is given grows less
  };
  Heard heard() const {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

 private:
  bool open() {
    QAudioFormat format;
    format.setSampleRate(kRate);
    format.setChannelCount(2);
    format.setSampleFormat(QAudioFormat::Float);
    const QAudioDevice device = QMediaDevices::defaultAudioOutput();
    there_ = !device.isNull() && device.isFormatSupported(format);
    if (!there_) return false;
    sink_ = std::make_unique<QAudioSink>(device, format);
    sink_->setBufferSize(static_cast<qsizetype>(kBuffered * kRate) * static_cast<qsizetype>(kFrame));
    into_ = sink_->start();
    there_ = into_ != nullptr;
    if (!there_) close();
    return there_;
  }
  void close() {
    timer_.stop();
    into_ = nullptr;
    sink_.reset();
    note(false);
  }
  void feed() {
    if (!sink_ || !into_) return;
    // Unplugged: what plays goes on in silence, and the next start takes another device.
    if (sink_->error() == QAudio::FatalError || sink_->error() == QAudio::IOError) {
      close();
      return look();
    }
    if (!source_ && idle_.isValid() && idle_.elapsed() > kIdle) return close();
    const auto room = static_cast<std::size_t>(std::max<qsizetype>(sink_->bytesFree(), 0)) / kFrame;
    if (room > 0) {
      block_.assign(2 * room, 0.0F);
      if (source_ && !source_(first_, block_)) stop();
      const qint64 taken =
          into_->write(reinterpret_cast<const char*>(block_.data()), static_cast<qint64>(room * kFrame));
      first_ += std::max<qint64>(taken, 0) / static_cast<qint64>(kFrame);
    }
    note(true);
  }
  void note(bool runs) {
    const double waiting =
        sink_ ? static_cast<double>(sink_->bufferSize() - sink_->bytesFree()) / static_cast<double>(kFrame) : 0;
    const double samples = static_cast<double>(first_) - waiting;
    const std::lock_guard lock(mutex_);
    const bool another = heard_.ticket != ticket_, moved = !another && samples != heard_.samples;
    heard_.runs = runs && (heard_.runs || moved);
    if (another || moved) heard_.since.start();
    heard_.ticket = ticket_;
    heard_.samples = samples;
  }

  QTimer timer_;
  std::unique_ptr<QMediaDevices> devices_;
  std::unique_ptr<QAudioSink> sink_;
  QIODevice* into_ = nullptr;
  SoundSource source_;
  int ticket_ = 0;
  qint64 first_ = 0;
  std::vector<float> block_;
  QElapsedTimer idle_;
  mutable std::mutex mutex_;
  Heard heard_;
};

class Device : public SoundOutput {
 public:
  Device() {
    sink_->moveToThread(&thread_);
    QObject::connect(&thread_, &QThread::started, sink_, &Sink::begin);
    QObject::connect(
        &thread_, &QThread::finished, sink_, [sink = sink_] { sink->end(); }, Qt::DirectConnection);
    QObject::connect(&thread_, &QThread::finished, sink_, &QObject::deleteLater);  // in its thread
    thread_.start();
  }
  ~Device() override {
    thread_.quit();
    thread_.wait();
  }
  bool there() const override { return sink_->there_; }
  double rate() const override { return kRate; }
  void start(SoundSource source) override {
    ++ticket_;
    QMetaObject::invokeMethod(
        sink_, [sink = sink_, ticket = ticket_, source = std::move(source)] { sink->start(source, ticket); },
        Qt::QueuedConnection);
  }
  void stop() override {
    QMetaObject::invokeMethod(
        sink_, [sink = sink_] { sink->stop(); }, Qt::QueuedConnection);
  }
  double heard() const override {
    const Sink::Heard heard = sink_->heard();
    if (heard.ticket != ticket_) return 0;
    // Between two feeds it goes on; not further than those that come late.
    const double since = heard.runs ? std::min(static_cast<double>(heard.since.nsecsElapsed()) * 1e-9, 0.05) : 0;
    return std::max(0.0, heard.samples + since * kRate);
  }

 private:
  QThread thread_;
  Sink* const sink_ = new Sink;  ///< the thread deletes it
  int ticket_ = 0;
};

}  // namespace

std::unique_ptr<SoundOutput> make_sound_output() { return std::make_unique<Device>(); }

}  // namespace hazumi

#else

namespace hazumi {

std::unique_ptr<SoundOutput> make_sound_output() { return nullptr; }

}  // namespace hazumi

#endif
