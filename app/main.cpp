// Composition root of the program: `hazumi [SCENE] [--play]`. Without a scene the start page opens.
#include <cstdio>
#include <exception>
#include <memory>

#include <QApplication>
#include <QCommandLineParser>

#include "core/base/memory.h"
#include "ui/model/settings.h"
#include "ui/viewport/canvas.h"
#include "ui/widgets/theme.h"
#include "ui/window/main_window.h"

namespace {

int run(int argc, char** argv) {
  hazumi::prepare_opengl();
  QApplication::setApplicationName(QStringLiteral("hazumi"));
  hazumi::scale_interface(hazumi::Settings().preferences());
  QApplication application(argc, argv);
  QApplication::setApplicationDisplayName(QStringLiteral("Hazumi"));
  QApplication::setApplicationVersion(hazumi::program_version());
  hazumi::apply_theme(application);

  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Animation by physics."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("scene"), QStringLiteral("Scene file to open."),
                               QStringLiteral("[SCENE]"));
  const QCommandLineOption play(QStringLiteral("play"), QStringLiteral("Start playing."));
  parser.addOption(play);
  const QCommandLineOption scenes(QStringLiteral("scenes"),
                                  QStringLiteral("Say where the shipped scenes are, and end."));
  parser.addOption(scenes);
  parser.process(application);
  if (parser.isSet(scenes)) return std::puts(hazumi::scenes_folder().toLocal8Bit().constData()) < 0;

  hazumi::Session session;
  session.sound_player.set_device(&hazumi::make_sound_output);
  hazumi::MainWindow window(session);
  window.show();
  const QStringList files = parser.positionalArguments();
  if (files.isEmpty())
    window.show_start_page();
  else
    window.open_file(files.first(), parser.isSet(play));
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  hazumi::use_few_heaps();
  try {
    return run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "hazumi: %s\n", problem.what());
    return 1;
  }
}
