#pragma once

class QKeyEvent;
class QWidget;

namespace hazumi {

/// The key walks the list or tree that `at` is, so that it is no shortcut there: up, down, pages, ends; left and right where entries
/// stand side by side or have others below them.
bool walks_list(const QWidget* at, const QKeyEvent& key);

}  // namespace hazumi
