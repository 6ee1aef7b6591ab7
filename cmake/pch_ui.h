#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <QtWidgets>
#include <functional>
#include <memory>
#include <vector>
