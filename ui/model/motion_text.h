// Boxes of motion graphs in words: the sentence of their kind with what they say filled in, and the values of their parameters.
#pragma once

#include <vector>

#include <QString>

#include "core/scene/values/scene.h"

namespace hazumi {

struct MotionKind;
struct ParameterRow;
struct ProcedureKind;

/// A piece of a sentence; `field`: what it stands for, "of", "with" or the name of a parameter; empty: words in between.
struct SentencePart {
  QString text, field;
};

/// "{of} hits {with} with more than {above}", filled in; of a kind that nobody knows what it is called. `object`, `other`: names in place of
/// those that the box says, as of what happened in a run.
std::vector<SentencePart> sentence_of_box(const Scene& scene, const MotionNode& node, Id object = {}, Id other = {});
QString text_of_parts(const std::vector<SentencePart>& parts);
/// "ball hits lane": what an event waited for, when it has come. What is said behind what it is about is left out.
QString happened_text(const Scene& scene, const MotionNode& node, Id object, Id other);

/// "A free fall, gravity as it says; processed geometrically": of what class its kind is, and what works it out. Empty: that says nothing.
QString class_of_box(const MotionNode& node);
/// The same of a kind, either way where it can be switched.
QString class_of_kind(const ProcedureKind& kind);

/// "0.5 N s", "hard", "= speed / 2".
QString parameter_text(const MotionNode& node, const ParameterRow& row);
/// Names of what `other` is about, "anything" where it is left out.
QString other_text(const Scene& scene, const MotionNode& node);
QString owner_text(const Scene& scene, const MotionNode& node);

/// Says more than its kind does by itself: one of its parameters is not as by default.
bool has_arguments(const MotionNode& node);

/// The words after "if" of an expression, or of nothing.
QString condition_text(const MotionNode& node);

}  // namespace hazumi
