// Small moving pictures of what elastic models do: the same bar, held at one end, sags and swings back, stepped by each of them. Made
// once, in a worker.
#pragma once

#include <map>

#include <QImage>
#include <QObject>
#include <QSize>
#include <QVector>

#include "ui/jobs/worker.h"

namespace hazumi {

struct ElasticSolverInfo;

inline constexpr int kElasticPictures = 30, kElasticRate = 15;  ///< pictures of a loop, and how many a second

/// Of the bar by that solver, as large as told; empty: the solver cannot take it.
QVector<QImage> elastic_pictures(const ElasticSolverInfo& solver, const QSize& size);

class ElasticPictures : public QObject {
  Q_OBJECT
 public:
  ElasticPictures(const QSize& size, QObject* parent) : QObject(parent), size_(size) {}
  /// Begins, the first time.
  void want();
  /// By the solver's name in files; empty: not made yet.
  const QVector<QImage>& of(const QString& solver) const;

 signals:
  void ready(const QString& solver);

 private:
  QSize size_;
  std::map<QString, QVector<QImage>> made_;
  bool begun_ = false;
  Worker worker_;
};

}  // namespace hazumi
