// Keys after a choice: who picked from a list, typed a number or dragged one is done with that field, and Space, arrows and digits are
// the view's again. In a dialog they stay where they are.
#pragma once

class QWidget;

namespace hazumi {

/// Nothing when somebody else has taken them meanwhile.
void give_keys_back(QWidget& from);

}  // namespace hazumi
